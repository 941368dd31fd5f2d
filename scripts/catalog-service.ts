import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { createTestDatabase } from '../test/support/test-database.ts';
import { testSettings, withLog } from '../test/support/test-logs.ts';
import { freePort } from './free-port.ts';

const built = (entry: string): string => new URL(`../apps/catalog-api/dist/${entry}`, import.meta.url).pathname;

/** The built catalog while it runs. */
export interface CatalogService {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Runs a command of it, such as `import full`. */
  readonly command: (...args: string[]) => void;
}

/** Starts the built catalog over an empty database of its own, runs some work with it, and takes both down again. */
export async function withCatalogService(
  settings: Readonly<Record<string, string>>,
  work: (service: CatalogService) => Promise<void>,
): Promise<void> {
  await startPostgres();
  try {
    const { url } = await createTestDatabase();
    await withCatalogOver(url, settings, work);
  } finally {
    await stopPostgres();
  }
}

/** The same over an empty database that is there already, and stays. */
export async function withCatalogOver(
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
  work: (service: CatalogService) => Promise<void>,
): Promise<void> {
  const port = settings['PORT'] ?? String(await freePort());
  const own = { DATABASE_URL: databaseUrl, HOST: '127.0.0.1', LOG_LEVEL: 'error', ...settings, PORT: port };
  const env = { ...process.env, ...testSettings(own) };
  const command = (...args: string[]): void => {
    execFileSync(process.execPath, [built('cli.js'), ...args], { env, stdio: 'inherit' });
  };
  command('migrate');
  const url = `http://127.0.0.1:${port}`;
  await whileCatalogRuns(own, () => work({ url, command }));
}

/** Does some work while the built catalog runs on the `PORT` of its settings. @throws Error when it ends before it is ready */
export async function whileCatalogRuns<T>(
  settings: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const env = { ...process.env, ...testSettings(settings) };
  const server = withLog('catalog-api-main', (log) =>
    spawn(process.execPath, [built('main.js')], { env, stdio: log === undefined ? 'inherit' : ['ignore', log, log] }),
  );
  try {
    await untilReady(`http://127.0.0.1:${settings['PORT'] ?? ''}`, () => server.exitCode === null);
    return await work();
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  }
}

async function untilReady(url: string, running: () => boolean): Promise<void> {
  const betweenTriesMs = 100;
  while (running()) {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (response?.ok) return;
    await pause(betweenTriesMs);
  }
  throw new Error('catalog-api ended before it answered');
}
