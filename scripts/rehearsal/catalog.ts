import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

/** The settings of a catalog as its environment. */
export type Settings = Readonly<Record<string, string>>;

const program = new URL('../../apps/catalog-api/dist/cli.js', import.meta.url).pathname;

/** Runs a command of the built catalog and returns its output. */
export function catalogCommand(settings: Settings, ...words: string[]): string {
  const env = { ...process.env, ...settings };
  return execFileSync(process.execPath, [program, ...words], { env, encoding: 'utf8' }).trim();
}

/** Runs a command of the built catalog and writes its output to a file that only its owner may read. */
export function catalogCommandInto(file: string, settings: Settings, ...words: string[]): void {
  const output = openSync(file, 'wx', 0o600);
  try {
    const env = { ...process.env, ...settings };
    execFileSync(process.execPath, [program, ...words], { env, stdio: ['ignore', output, 'inherit'] });
  } finally {
    closeSync(output);
  }
}
