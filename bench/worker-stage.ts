import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '../scripts/free-port.ts';
import { provisionerV8Options } from '../scripts/launcher/services.ts';
import startPostgres from '../test/support/postgres.setup.ts';
import stopPostgres from '../test/support/postgres.teardown.ts';
import { createTestDatabase } from '../test/support/test-database.ts';
import { answers, ended, startChild } from './child-server.ts';
import { peakMbOf } from './copy-stage.ts';

const run = promisify(execFile);
const built = (file: string): string => new URL(`../apps/provisioner/dist/${file}`, import.meta.url).pathname;

/**
 * Runs commands of the built command line one after the other, with one built worker.
 *
 * @param places `SOURCE_URL`, `STORAGE_URL` and their credentials
 * @param commands such as `['import', 'DS-1']`
 * @returns the worker's peak resident memory after each command, in MB
 */
export async function workerPeaksMb(
  places: Readonly<Record<string, string>>,
  commands: readonly (readonly string[])[],
): Promise<number[]> {
  await startPostgres();
  const { url } = await createTestDatabase();
  const port = await freePort();
  const env = {
    ...process.env,
    ...places,
    ...{ SOURCE_SETTLE: '0', QUEUE_URL: url },
    ...{ PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'warn', GLOBAL_API_KEY: 'x'.repeat(32) },
    // The setting of the worker's image.
    MALLOC_ARENA_MAX: '2',
  };
  const worker = startChild(built('worker.js'), [], env, provisionerV8Options);
  try {
    await answers(port, worker);
    const peaks: number[] = [];
    for (const command of commands) {
      await run(process.execPath, [built('cli.js'), ...command], { env, maxBuffer: 64 * 1024 * 1024 });
      peaks.push(await peakMbOf(worker.pid ?? 0));
    }
    return peaks;
  } finally {
    await ended(worker);
    await stopPostgres();
    delete process.env['TEST_POSTGRES_URL'];
  }
}
