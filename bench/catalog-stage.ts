import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { Client, type QueryResult } from 'pg';
import { manyDatasets } from '../apps/catalog-api/test/many-datasets.ts';
import { freePort } from '../scripts/free-port.ts';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { createTestDatabase } from '../test/support/test-database.ts';
import { answers, ended, startChild, type ChildServer } from './child-server.ts';
import { manyRecords } from './many-records.ts';

/** The built catalog and the baseline, each in its own process, over one database. */
export interface CatalogStage {
  /** Port of the catalog. */
  readonly port: number;
  /** Port of the baseline. */
  readonly barePort: number;
  /** The global key. */
  readonly globalKey: string;
  /** A key of a user who is custodian of every project. */
  readonly userKey: string;
  /** A key of an endpoint to which every dataset is exposed. */
  readonly endpointKey: string;
  /** A service key with the scope `records:read`. */
  readonly serviceKey: string;
  /** The environment of the catalog. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs statements in the database. */
  readonly execute: (statements: string) => Promise<void>;
  /** Runs a statement and returns its only value, a number. */
  readonly count: (statement: string) => Promise<number>;
  /** Returns the current resident memory of the catalog's process, in MB. */
  readonly residentMb: () => number;
  /** Returns the live memory of the catalog's process after a garbage collection, in MB. */
  readonly liveMb: () => Promise<number>;
}

const built = (entry: string): string => new URL(`../apps/catalog-api/dist/${entry}`, import.meta.url).pathname;
const liveMemory = new URL('live-memory.ts', import.meta.url).href;
const globalKey = 'the-global-key-of-the-benchmarks';
const always = {
  ...{ HOST: '127.0.0.1', SERVER_URL: 'https://catalog.example.org' },
  ...{ GLOBAL_API_KEY: globalKey, KEY_HASH_SECRET: 'the-secret-of-the-hashes-of-the-benchmarks' },
};

/**
 * Sets up a catalog with `datasets` records of each kind, runs some work with it, and removes it.
 *
 * @param settings of the catalog in addition to the required ones
 */
export async function withCatalog<T>(
  datasets: number,
  work: (stage: CatalogStage) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  await startPostgres();
  const children: ChildServer[] = [];
  try {
    const { url } = await createTestDatabase();
    const [port, barePort] = [await freePort(), await freePort()];
    const env = { ...process.env, ...always, DATABASE_URL: url, PORT: String(port), ...settings };
    const command = (...args: string[]): string =>
      execFileSync(process.execPath, [built('cli.js'), ...args], { env, encoding: 'utf8' });
    const execute = async (statements: string): Promise<void> => {
      await queryAt(url, statements);
    };
    command('migrate');
    await execute(manyDatasets(datasets));
    await execute(manyRecords);
    command('rebuild', 'documents');
    const userKey = command('key', 'user', 'ida@example.org').trim();
    const endpointKey = command('key', 'endpoint', 'Endpoint of many').trim();
    const serviceKey = command('key', 'service', 'benchmark', '--scope', 'records:read').trim();
    const service = startChild(built('main.js'), [], { ...env, NODE_OPTIONS: `--import=${liveMemory}` });
    const bare = startChild(new URL('bare-catalog.ts', import.meta.url).pathname, [url, String(barePort)]);
    children.push(service, bare);
    await Promise.all([answers(port, service), answers(barePort, bare)]);
    return await work({
      ...{ port, barePort, globalKey, userKey, endpointKey, serviceKey, execute, environment: env },
      count: async (statement) => Number((await queryAt(url, statement)).rows[0]?.[0]),
      liveMb: () => liveMbOf(service),
      residentMb: () =>
        Number(execFileSync('ps', ['-o', 'rss=', '-p', String(service.pid)], { encoding: 'utf8' })) / 1024,
    });
  } finally {
    await Promise.all(children.map(ended));
    await stopPostgres();
    delete process.env['TEST_POSTGRES_URL'];
  }
}

async function liveMbOf(service: ChildServer): Promise<number> {
  service.send('live');
  const [bytes] = (await once(service, 'message')) as [number];
  return bytes / 1024 / 1024;
}

async function queryAt(url: string, statements: string): Promise<QueryResult<unknown[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query({ text: statements, rowMode: 'array' });
  } finally {
    await client.end();
  }
}
