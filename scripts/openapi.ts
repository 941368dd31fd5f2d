/** Writes docs/openapi/catalog-api.json from the built service. Run it with `npm run docs:openapi`. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { format } from 'prettier';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { createTestDatabase } from '../test/support/test-database.ts';
import { freePort } from './free-port.ts';

const target = new URL('../docs/openapi/catalog-api.json', import.meta.url);
const service = (entry: string): string => new URL(`../apps/catalog-api/dist/${entry}`, import.meta.url).pathname;

await startPostgres();
try {
  const { url } = await createTestDatabase();
  const port = String(await freePort());
  const env = { ...process.env, DATABASE_URL: url, PORT: port, HOST: '127.0.0.1', LOG_LEVEL: 'error' };
  execFileSync(process.execPath, [service('cli.js'), 'migrate'], { env, stdio: 'inherit' });
  const server = spawn(process.execPath, [service('main.js')], { env, stdio: 'inherit' });
  try {
    const text = await description(`http://127.0.0.1:${port}/docs/openapi.json`, () => server.exitCode === null);
    await writeFile(target, await format(text, { parser: 'json' }));
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  }
} finally {
  await stopPostgres();
}

async function description(address: string, running: () => boolean): Promise<string> {
  const betweenTriesMs = 100;
  while (running()) {
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) return response.text();
    await pause(betweenTriesMs);
  }
  throw new Error('catalog-api ended before it answered');
}
