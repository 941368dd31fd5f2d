import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { manyDatasets } from '../apps/catalog-api/test/many-datasets.ts';
import { freePort } from '../scripts/free-port.ts';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { createTestDatabase } from '../test/support/test-database.ts';

/** The catalog as it is built, and the baseline, each a process of its own over one database. */
export interface CatalogStage {
  /** Port of the catalog. */
  readonly port: number;
  /** Port of the baseline. */
  readonly barePort: number;
  /** The global key. */
  readonly globalKey: string;
  /** A key of the user who is custodian of every dataset and of the project 900. */
  readonly userKey: string;
  /** Runs statements in the database. */
  readonly execute: (statements: string) => Promise<void>;
  /** Memory of the catalog's process that is in RAM now, in MB. */
  readonly residentMb: () => number;
}

const built = (entry: string): string => new URL(`../apps/catalog-api/dist/${entry}`, import.meta.url).pathname;
const globalKey = 'the-global-key-of-the-benchmarks';

/** Sets a catalog of `datasets` datasets up, runs some work with it, and takes everything down again. */
export async function withCatalog<T>(datasets: number, work: (stage: CatalogStage) => Promise<T>): Promise<T> {
  await startPostgres();
  const children: ChildProcess[] = [];
  try {
    const { url } = await createTestDatabase();
    const [port, barePort] = [await freePort(), await freePort()];
    const env = {
      ...process.env,
      ...{ DATABASE_URL: url, PORT: String(port), HOST: '127.0.0.1', GLOBAL_API_KEY: globalKey },
      SERVER_URL: 'https://catalog.example.org',
    };
    const command = (...args: string[]): string =>
      execFileSync(process.execPath, [built('cli.js'), ...args], { env, encoding: 'utf8' });
    const execute = (statements: string): Promise<void> => executeAt(url, statements);
    command('migrate');
    await execute(manyDatasets(datasets));
    await execute('INSERT INTO project_custodians (project_id, user_id) VALUES (900, 900)');
    command('rebuild', 'documents');
    const userKey = command('key', 'user', 'ida@example.org').trim();
    const service = spawn(process.execPath, [built('main.js')], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const bare = spawn(
      process.execPath,
      [new URL('bare-catalog.ts', import.meta.url).pathname, url, String(barePort)],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    );
    children.push(service, bare);
    await Promise.all([answers(port, service), answers(barePort, bare)]);
    return await work({
      ...{ port, barePort, globalKey, userKey, execute },
      residentMb: () =>
        Number(execFileSync('ps', ['-o', 'rss=', '-p', String(service.pid)], { encoding: 'utf8' })) / 1024,
    });
  } finally {
    await Promise.all(children.map(ended));
    await stopPostgres();
    delete process.env['TEST_POSTGRES_URL'];
  }
}

async function executeAt(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  const betweenTriesMs = 50;
  while (child.exitCode === null) {
    if (await fetch(`http://127.0.0.1:${String(port)}/nothing`).catch(() => undefined)) return;
    await pause(betweenTriesMs);
  }
  throw new Error('A server ended before it answered. Is everything built (npm run build)?');
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}
