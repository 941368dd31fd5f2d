import type { Pool, PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import type { Sql } from './sql.js';

/** The connections behind a TypeORM data source. */
export function poolOf(dataSource: DataSource): Pool {
  return (dataSource.driver as unknown as { master: Pool }).master;
}

/** What each statement is called on every connection that has prepared it. */
const names = new Map<string, string>();

/**
 * Runs a statement that is asked again and again: each connection has it parsed once and soon keeps its plan. Only for
 * statements of which there are few, for a connection never forgets one; what callers send must be among their values.
 */
export async function runPrepared<Row extends object>(pool: Pool, statement: Sql): Promise<Row[]> {
  const { text, values } = statement.toQuery();
  const { rows } = await pool.query<Row>({ name: statementName(text), text, values });
  return rows;
}

/** The same of a statement that is written with its `$n`, in the transaction of a manager, where it has one. */
export async function runPreparedIn<Row extends object>(
  { queryRunner, dataSource }: EntityManager,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = (await queryRunner?.connect()) as PoolClient | undefined;
  const { rows } = await (client ?? poolOf(dataSource)).query<Row>({ name: statementName(text), text, values: [...values] });
  return rows;
}

function statementName(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `catalog_${String(names.size)}`;
  names.set(text, name);
  return name;
}
