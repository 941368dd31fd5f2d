import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { manyDatasets } from '../apps/catalog-api/test/many-datasets.ts';
import { freePort } from '../scripts/free-port.ts';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { createTestDatabase } from '../test/support/test-database.ts';
import { Client } from 'pg';
import { answers, ended, startChild, type ChildServer } from './child-server.ts';
import type { LoopStop } from './loop-watch.ts';
import { manyRecords } from './many-records.ts';

/** The services that are attacked. */
export type Service = 'catalog-api' | 'provisioner';

/** A built service in its own process, which measures its event loop. */
export interface HostileStage {
  /** Origin of the service, without a slash at the end. */
  readonly origin: string;
  /** Global key of the service. */
  readonly globalKey: string;
  /** Returns the longest stop of the event loop since the previous call. */
  readonly longestStop: () => Promise<LoopStop>;
  /** Whether the process of the service still runs. */
  readonly isRunning: () => boolean;
}

const globalKey = 'the-global-key-of-the-benchmarks';
const built = (file: string): string => new URL(`../apps/${file}`, import.meta.url).pathname;
const loopWatch = new URL('loop-watch.ts', import.meta.url).href;

/** Advances the sequences of ids, because the inserted records name their ids. */
const nextIds = `
  DO $$ DECLARE each record; BEGIN
    FOR each IN SELECT table_name, column_name FROM information_schema.columns
                 WHERE table_schema = 'public' AND is_identity = 'YES' LOOP
      EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), max(%I)) FROM %I HAVING max(%I) IS NOT NULL',
                     each.table_name, each.column_name, each.column_name, each.table_name, each.column_name);
    END LOOP;
  END $$`;

/** Datasets of the attacked catalog. Each list returns all of them. */
const datasets = 100;

/** Sets up a service with a heap of 512 MB, runs some work with it, and removes it. */
export async function withAttackedService<T>(service: Service, work: (stage: HostileStage) => Promise<T>): Promise<T> {
  await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'hostile-'));
  let child: ChildServer | undefined;
  try {
    const port = await freePort();
    const env = { ...process.env, ...(await settingsOf(service, folder)), PORT: String(port) };
    if (service === 'catalog-api') await fillCatalog(env);
    const flags = `--import=${loopWatch} --max-old-space-size=512`;
    const started = startChild(built(`${service}/dist/main.js`), [], { ...env, NODE_OPTIONS: flags });
    child = started;
    await answers(port, started);
    return await work({
      origin: `http://127.0.0.1:${String(port)}`,
      globalKey,
      longestStop: () => longestStopOf(started),
      isRunning: () => started.exitCode === null && started.signalCode === null,
    });
  } finally {
    if (child) await ended(child);
    await rm(folder, { recursive: true, force: true });
    await stopPostgres();
    delete process.env['TEST_POSTGRES_URL'];
  }
}

async function settingsOf(service: Service, folder: string): Promise<Record<string, string>> {
  const { url } = await createTestDatabase();
  const both = { HOST: '127.0.0.1', LOG_LEVEL: 'error', GLOBAL_API_KEY: globalKey, BODY_LIMIT: '16M' };
  if (service === 'catalog-api') {
    return {
      ...both,
      ...{ DATABASE_URL: url, KEY_HASH_SECRET: 'the-secret-of-the-hashes-of-the-benchmarks' },
      ...{ SERVER_URL: 'https://catalog.example.org', RATE_LIMIT_WRONG_KEYS: '0' },
      ...{ ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '127.0.0.1' },
    };
  }
  const [source, storage] = [join(folder, 'source'), join(folder, 'storage')];
  for (const each of [source, storage]) await mkdir(each);
  const places = { SOURCE_URL: pathToFileURL(source).href, STORAGE_URL: pathToFileURL(storage).href };
  return { ...both, ...places, QUEUE_URL: url };
}

async function fillCatalog(env: NodeJS.ProcessEnv): Promise<void> {
  const command = (...args: string[]): string =>
    execFileSync(process.execPath, [built('catalog-api/dist/cli.js'), ...args], { env, encoding: 'utf8' });
  command('migrate');
  const client = new Client({ connectionString: env['DATABASE_URL'] });
  await client.connect();
  try {
    await client.query(manyDatasets(datasets));
    await client.query(manyRecords);
    await client.query(nextIds);
  } finally {
    await client.end();
  }
  command('rebuild', 'documents');
}

async function longestStopOf(service: ChildServer): Promise<LoopStop> {
  service.send('longest');
  const [stop] = (await once(service, 'message')) as [LoopStop];
  return stop;
}
