import type { EntityManager } from 'typeorm';
import { columnsOf, type TableColumns } from './table-columns.js';

/** The rows of one record as JSON, by table, in the order of insertion. */
export type RecordRows = ReadonlyMap<string, readonly string[]>;

/** Inserts the rows of several records with one statement per table. An absent column gets its default. */
export async function insertRows(
  manager: EntityManager,
  tableColumns: TableColumns,
  records: readonly RecordRows[],
): Promise<void> {
  const byTable = new Map<string, string[]>();
  for (const rows of records) {
    for (const [table, some] of rows) {
      const all = byTable.get(table);
      if (all) all.push(...some);
      else byTable.set(table, [...some]);
    }
  }
  for (const [table, rows] of byTable) {
    const columns = columnsOf(tableColumns, table);
    const values = columns.map(({ name, fallback }) => (fallback ? `coalesce(${name}, ${fallback})` : name));
    await manager.query(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
       SELECT ${values.join(', ')} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
      [`[${rows.join(',')}]`],
    );
  }
}
