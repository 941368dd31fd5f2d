import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { testSettings, withLog } from '../test/support/test-logs.ts';

const betweenTriesMs = 100;

/** A file of a built service, such as `provisioner/dist/main.js`. */
export const builtFile = (path: string): string => new URL(`../apps/${path}`, import.meta.url).pathname;

/** The programs that report on a port whether they are ready. */
type Program = 'catalog-api/dist/main.js' | 'provisioner/dist/main.js' | 'provisioner/dist/worker.js';

/**
 * Does some work while a built program runs on the `PORT` of its settings.
 *
 * @throws Error if the program ends before it is ready
 */
export async function whileServiceRuns<T>(
  program: Program,
  settings: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  const env = { ...process.env, ...testSettings(settings) };
  const server = withLog(program.replace('/dist/', '-').replace('.js', ''), (log) =>
    spawn(process.execPath, [builtFile(program)], {
      env,
      stdio: log === undefined ? 'inherit' : ['ignore', log, log],
    }),
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
  while (running()) {
    const response = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (response?.ok) return;
    await pause(betweenTriesMs);
  }
  throw new Error('The service ended before it was ready.');
}
