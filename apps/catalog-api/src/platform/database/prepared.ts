import type { Pool, PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { Sql } from './sql.js';

/** Returns the pool of connections of a TypeORM data source. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/** The name of each prepared statement, by its text. The name is the same on every connection. */
const names = new Map<string, string>();

/**
 * Runs a frequent statement as a prepared statement, which each connection parses once. A connection keeps a prepared
 * statement for ever, so the text must not depend on the request: values from callers belong in the parameters.
 */
export async function runPrepared<Row extends object>(pool: Pool, statement: Sql): Promise<Row[]> {
  const { text, values } = statement.toQuery();
  const { rows } = await pool.query<Row>({ name: statementName(text), text, values });
  return rows;
}

/** Runs a prepared statement with `$n` parameters. If the manager has a transaction, the statement runs inside it. */
export async function runPreparedIn<Row extends object>(
  { queryRunner, dataSource }: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = (await queryRunner?.connect()) as PoolClient | undefined;
  const { rows } = await (client ?? poolOf(dataSource)).query<Row>({
    name: statementName(text),
    text,
    values: [...values],
  });
  return rows;
}

function statementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `catalog_${String(names.size)}`;
  names.set(text, name);
  return name;
}
