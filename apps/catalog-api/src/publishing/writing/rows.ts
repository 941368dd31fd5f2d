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

/** The highest id of another catalog that a record keeps. The sequence of ids must have room after the highest id. */
const maxKeptId = 1_000_000_000;

/** A new record, and the id that it has in another catalog. */
export interface WantedId {
  readonly index: number;
  readonly idAtSource?: number | null;
}

/** Returns the ids of other catalogs that are free in this catalog, by the index of the record. */
export async function findFreeIds(
  manager: EntityManager,
  table: string,
  records: readonly WantedId[],
): Promise<Map<number, number>> {
  const indexes = new Map<number, number>();
  for (const { index, idAtSource } of records) {
    const isUsable = idAtSource && idAtSource <= maxKeptId && !indexes.has(idAtSource);
    if (isUsable) indexes.set(idAtSource, index);
  }
  if (indexes.size === 0) return new Map();
  const taken = await manager.query<{ id: number }[]>(`SELECT id FROM ${table} WHERE id = ANY ($1)`, [
    [...indexes.keys()],
  ]);
  for (const { id } of taken) indexes.delete(id);
  return new Map([...indexes].map(([id, index]) => [index, id]));
}

/**
 * Reserves ids for new rows, in ascending order. Kept ids of another catalog may be higher than the sequence, so the
 * sequence skips them.
 *
 * @param kept ids of rows that the caller inserts later
 */
export async function reserveIds(
  manager: EntityManager,
  table: string,
  count: number,
  kept: readonly number[] = [],
): Promise<number[]> {
  if (count === 0) return [];
  const ids = await nextIds(manager, table, count);
  const [{ last }] = await manager.query<[{ last: number | null }]>(
    `SELECT max(id) AS last FROM (SELECT id FROM ${table} WHERE id = ANY ($1) UNION ALL SELECT unnest($2::integer[])) AS taken
      WHERE id = ANY ($1)`,
    [ids, kept],
  );
  if (last === null) return ids;
  await manager.query(
    `SELECT setval(pg_get_serial_sequence($1, 'id'), greatest((SELECT max(id) FROM ${table}), $2::integer))`,
    [table, Math.max(...ids, ...kept)],
  );
  return nextIds(manager, table, count);
}

async function nextIds(manager: EntityManager, table: string, count: number): Promise<number[]> {
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
