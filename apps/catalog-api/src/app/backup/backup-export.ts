import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import { backupFormat, backupTypes, type BackupLinks, type BackupTable } from './backup-format.js';
import { columnsOf, isImplied, readTableColumns, type TableColumns } from './table-columns.js';

/**
 * Writes the whole catalog as a backup, in one consistent snapshot. Streams the rows, so memory does not grow with the
 * catalog. The same content of the catalog produces the same bytes.
 *
 * @param output stays open
 */
export async function exportBackup(dataSource: DataSource, output: Writable): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction('REPEATABLE READ');
    const columns = await readTableColumns(runner.manager);
    const client = (await runner.connect()) as PoolClient;
    await pipeline(linesOf(client, columns), output, { end: false });
    await runner.commitTransaction();
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

async function* linesOf(client: PoolClient, columns: TableColumns): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(await headerOf(client))}\n`;
  for (const [type, table] of Object.entries(backupTypes)) {
    yield* client.query(copyTo(`COPY (${exportSql(type, table, columns)}) TO STDOUT ${asLines}`));
  }
}

/**
 * Options of `COPY` for one plain line per row. JSON contains neither the delimiter nor the quote, so none is quoted.
 */
const asLines = `WITH (FORMAT csv, DELIMITER E'\\x02', QUOTE E'\\x01')`;

async function headerOf(client: PoolClient): Promise<unknown> {
  const { rows } = await client.query<{ accessions: number }>(
    'SELECT CASE WHEN is_called THEN last_value ELSE 0 END::integer AS accessions FROM accession_numbers',
  );
  return { record: 'catalog', format: backupFormat, accessions: rows[0]?.accessions ?? 0 };
}

function exportSql(type: string, table: BackupTable, columns: TableColumns): string {
  return `SELECT row_to_json(line) FROM ${table.table} AS row
    CROSS JOIN LATERAL (SELECT '${type}' AS record, ${membersSql(table, 'row', columns)}) AS line
    ORDER BY row.id`;
}

/** Returns the SQL of the members of one row: its columns, its lists and its nested rows. */
function membersSql(table: BackupTable, alias: string, columns: TableColumns): string {
  const own = columnsOf(columns, table.table)
    .filter(({ name }) => !isImplied(name, table.parent))
    .map(({ name }) => `${alias}.${name}`);
  const links = Object.entries(table.links ?? {}).map(
    ([member, link]) => `${linksSql(link, alias, columns)} AS ${member}`,
  );
  const children = Object.entries(table.children ?? {}).map(
    ([member, child]) => `${childrenSql(child, alias, columns)} AS ${member}`,
  );
  return [...own, ...links, ...children].join(', ');
}

function linksSql({ table, parent, value, siblings }: BackupLinks, alias: string, columns: TableColumns): string {
  const order = columnsOf(columns, table).some(({ name }) => name === 'position') ? 'link.position, ' : '';
  if (!siblings) {
    return `ARRAY(SELECT link.${value} FROM ${table} AS link WHERE link.${parent} = ${alias}.id ORDER BY ${order}link.${value})`;
  }
  return `ARRAY(SELECT sibling.title FROM ${table} AS link JOIN ${siblings} AS sibling ON sibling.id = link.${value}
    WHERE link.${parent} = ${alias}.id ORDER BY sibling.position)`;
}

function childrenSql(child: BackupTable, alias: string, columns: TableColumns): string {
  const inner = `${alias}_${child.table}`;
  const order = columnsOf(columns, child.table).some(({ name }) => name === 'position') ? `${inner}.position, ` : '';
  return `array_to_json(ARRAY(SELECT child FROM (
    SELECT ${membersSql(child, inner, columns)} FROM ${child.table} AS ${inner}
    WHERE ${inner}.${String(child.parent)} = ${alias}.id ORDER BY ${order}${inner}.id) AS child))`;
}
