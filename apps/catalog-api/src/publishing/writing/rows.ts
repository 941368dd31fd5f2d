import type { EntityManager } from 'typeorm';

/** A row to be written, by column. `metadata` stands as JSON text. */
export type Row = Readonly<Record<string, unknown>>;

/** The columns of a document's own row: its members but those that stand in other tables. */
export function columnsOf<Body extends object>(body: Body, elsewhere: readonly (keyof Body)[] = []): Row {
  return Object.fromEntries(Object.entries(body).filter(([member]) => !elsewhere.includes(member as keyof Body)));
}

/** Inserts rows that all have the same columns; one statement however many. */
export async function insertRows(manager: EntityManager, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return;
  await manager.query(
    `INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.map(valueOf).join(', ')} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) AS given`,
    [JSON.stringify(rows)],
  );
}

/** Updates rows by their `id`, moving their version; one statement however many. All must have the same columns. */
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

/** Puts rows in the place of all that belonged to some parents. */
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

/** Takes ids for rows that are to be inserted, in ascending order. */
export async function reserveIds(manager: EntityManager, table: string, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await manager.query<{ id: number }[]>(
    `SELECT nextval(pg_get_serial_sequence($1, 'id'))::integer AS id FROM generate_series(1, $2::integer)`,
    [table, count],
  );
  return rows.map(({ id }) => id);
}

/** JSON text reaches `jsonb` as text, for JavaScript numbers would not keep every digit. */
function valueOf(column: string): string {
  return column === 'metadata' ? `(given.metadata #>> '{}')::jsonb` : `given.${column}`;
}
