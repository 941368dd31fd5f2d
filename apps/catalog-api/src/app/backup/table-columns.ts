import type { EntityManager } from 'typeorm';

/** A column as the database has it. */
export interface TableColumn {
  readonly name: string;
  /** The SQL of the value it takes when none is given, or null. */
  readonly fallback: string | null;
}

/** The columns of every table, in their order. */
export type TableColumns = ReadonlyMap<string, readonly TableColumn[]>;

/**
 * Asks the database for its columns, so that a new one is part of every backup without being named here. What the
 * database makes of other columns by itself (a term's entries) is none of them.
 */
export async function readTableColumns(manager: EntityManager): Promise<TableColumns> {
  const rows = await manager.query<{ table: string; columns: TableColumn[] }[]>(
    `SELECT table_name AS "table",
            json_agg(json_build_object('name', column_name, 'fallback', column_default) ORDER BY ordinal_position) AS columns
       FROM information_schema.columns
      WHERE table_schema = current_schema() AND (table_name, column_name) <> ('terms', 'entries')
      GROUP BY table_name`,
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** The columns of one table. */
export function columnsOf(columns: TableColumns, table: string): readonly TableColumn[] {
  const found = columns.get(table);
  if (!found) throw new Error(`The database has no table ${table}`);
  return found;
}

/** Columns of a nested row that its place in the file already says. */
export function isImplied(column: string, parent: string | undefined): boolean {
  return parent !== undefined && (column === 'id' || column === 'position' || column === parent);
}
