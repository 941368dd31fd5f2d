import type { EntityManager } from 'typeorm';

/** A column of a table in the database. */
export interface TableColumn {
  readonly name: string;
  /** The SQL of the default value, or null. */
  readonly fallback: string | null;
  /** The maximum number of characters, or null. */
  readonly limit: number | null;
}

/** The columns of every table, by table name, in the order of the database. */
export type TableColumns = ReadonlyMap<string, readonly TableColumn[]>;

/**
 * Reads the columns from the database, so that a new column becomes part of every backup. Excludes the computed column
 * `terms.entries`.
 */
export async function readTableColumns(manager: EntityManager): Promise<TableColumns> {
  const rows = await manager.query<{ table: string; columns: TableColumn[] }[]>(
    `SELECT table_name AS "table",
            json_agg(json_build_object('name', column_name, 'fallback', column_default,
              'limit', character_maximum_length) ORDER BY ordinal_position) AS columns
       FROM information_schema.columns
      WHERE table_schema = current_schema() AND (table_name, column_name) <> ('terms', 'entries')
      GROUP BY table_name`,
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** Returns the columns of one table. @throws Error if the table does not exist */
export function columnsOf(columns: TableColumns, table: string): readonly TableColumn[] {
  const found = columns.get(table);
  if (!found) throw new Error(`The database has no table ${table}`);
  return found;
}

/** Whether the position of a nested row in the backup implies the value of a column. */
export function isImplied(column: string, parent: string | undefined): boolean {
  return parent !== undefined && (column === 'id' || column === 'position' || column === parent);
}
