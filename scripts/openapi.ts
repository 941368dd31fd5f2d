/** Writes the documents in docs/openapi/ from the built services. Run it with `npm run docs:openapi`. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { format } from 'prettier';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { createTestDatabase } from '../test/support/test-database.ts';
import { freePort } from './free-port.ts';

const program = (path: string): string => new URL(`../apps/${path}`, import.meta.url).pathname;
const folder = await mkdtemp(join(tmpdir(), 'openapi-'));

await startPostgres();
try {
  const [catalog, queue] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const environment = {
    DATABASE_URL: catalog.url,
    QUEUE_URL: queue.url,
    SOURCE_URL: pathToFileURL(folder).href,
    STORAGE_URL: pathToFileURL(folder).href,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
  };
  const env = { ...process.env, ...environment };
  execFileSync(process.execPath, [program('catalog-api/dist/cli.js'), 'migrate'], { env, stdio: 'inherit' });
  await describe('catalog-api', '/docs/openapi.json', env);
  await describe('provisioner', '/provisioner/docs/openapi.json', env);
} finally {
  await stopPostgres();
  await rm(folder, { recursive: true });
}

/** Starts a service and writes down how it describes itself. */
async function describe(service: string, path: string, env: NodeJS.ProcessEnv): Promise<void> {
  const port = String(await freePort());
  const script = program(`${service}/dist/main.js`);
  const server = spawn(process.execPath, [script], { env: { ...env, PORT: port }, stdio: 'inherit' });
  try {
    const text = await description(`http://127.0.0.1:${port}${path}`, () => server.exitCode === null);
    const target = new URL(`../docs/openapi/${service}.json`, import.meta.url);
    await writeFile(target, await format(text, { parser: 'json' }));
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  }
}

async function description(address: string, running: () => boolean): Promise<string> {
  const betweenTriesMs = 100;
  while (running()) {
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) return response.text();
    await pause(betweenTriesMs);
  }
  throw new Error(`nothing answers at ${address}: the service ended`);
}
