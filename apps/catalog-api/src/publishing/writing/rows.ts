import type { EntityManager } from 'typeorm';

/** A row by column. `metadata` is JSON text. */
export type Row = Readonly<Record<string, unknown>>;

/** Returns the columns of a document's row: its members except those that other tables store. */
export function columnsOf<Body extends object>(body: Body, elsewhere: readonly (keyof Body)[] = []): Row {
  return Object.fromEntries(Object.entries(body).filter(([member]) => !elsewhere.includes(member as keyof Body)));
}

/** Inserts rows by one statement. All rows must have the same columns. */
export async function insertRows(manager: EntityManager, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return;
  await manager.query(
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.map(valueOf).join(', ')} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) AS given`,
    [JSON.stringify(rows)],
  );
}

/** Updates rows by `id` and increments their version, by one statement. All rows must have the same columns. */
export async function updateRecords(manager: EntityManager, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((column) => column !== 'id');
  if (columns.length === 0) return;
  const values = columns.map((column) => `${column} = ${valueOf(column)}`);
  await manager.query(
    `UPDATE ${table} AS kept SET ${values.join(', ')}, version = kept.version + 1, updated_at = now()
     FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) AS given WHERE kept.id = given.id`,
    [JSON.stringify(rows)],
  );
}

/** Replaces all rows of parents. */
export async function replaceRows(
  manager: EntityManager,
  table: string,
  parent: { readonly column: string; readonly ids: readonly number[] },
  rows: readonly Row[],
): Promise<void> {
  if (parent.ids.length === 0) return;
  await manager.query(`DELETE FROM ${table} WHERE ${parent.column} = ANY ($1)`, [parent.ids]);
  await insertRows(manager, table, rows);
}

/** Reserves ids for new rows, in ascending order. */
export async function reserveIds(manager: EntityManager, table: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await manager.query<{ id: number }[]>(
    `SELECT nextval(pg_get_serial_sequence($1, 'id'))::integer AS id FROM generate_series(1, $2::integer)`,
    [table, count],
  );
  return rows.map(({ id }) => id);
}

/** Returns the value of a column. JSON text is cast in the database, because JavaScript would round long numbers. */
function valueOf(column: string): string {
  return column === 'metadata' ? `(given.metadata #>> '{}')::jsonb` : `given.${column}`;
}
