import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** An empty database of one suite's own. */
export interface TestDatabase {
  /** `postgres://user:password@host:port/name` */
  readonly url: string;
  /** Removes it, connections or not. */
  drop(): Promise<void>;
}

/**
 * A fresh database on the test run's server, in some 20 ms.
 *
 * @param template a database to copy instead of an empty one, e.g. one that has been migrated; nobody may be connected to it.
 */
export async function createTestDatabase(template = 'template0'): Promise<TestDatabase> {
  const serverUrl = process.env['TEST_POSTGRES_URL'];
  if (!serverUrl) throw new Error('TEST_POSTGRES_URL is not set: run the suite with npm test.');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await execute(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => execute(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
