import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { testSettings, withLog } from '../../test/support/test-logs.ts';

/** The settings of a catalog, its environment. */
export type Settings = Readonly<Record<string, string>>;

const built = (entry: string): string => new URL(`../../apps/catalog-api/dist/${entry}`, import.meta.url).pathname;

/** Runs a command of the built catalog and gives what it prints. */
export function catalogCommand(settings: Settings, ...words: string[]): string {
  const env = { ...process.env, ...settings };
  return execFileSync(process.execPath, [built('cli.js'), ...words], { env, encoding: 'utf8' }).trim();
}

/** The same, writing what the command prints into a file that only its owner may read. */
export function catalogCommandInto(file: string, settings: Settings, ...words: string[]): void {
  const output = openSync(file, 'wx', 0o600);
  try {
    const env = { ...process.env, ...settings };
    execFileSync(process.execPath, [built('cli.js'), ...words], { env, stdio: ['ignore', output, 'inherit'] });
  } finally {
    closeSync(output);
  }
}

/** Does some work while the built catalog runs. @throws Error when it ends before it is ready */
export async function whileCatalogRuns<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  const env = { ...process.env, ...testSettings(settings) };
  const server = withLog('catalog-api-main', (log) =>
    spawn(process.execPath, [built('main.js')], { env, stdio: ['ignore', log ?? 'ignore', log ?? 'inherit'] }),
  );
  const betweenTriesMs = 100;
  try {
    const ready = `http://127.0.0.1:${settings['PORT'] ?? ''}/health/ready`;
    while (!(await fetch(ready).catch(() => undefined))?.ok) {
      if (server.exitCode !== null) throw new Error('catalog-api ended before it was ready.');
      await pause(betweenTriesMs);
    }
    return await work();
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  }
}
