import { execFileSync } from 'node:child_process';

/** The settings of a catalog as its environment. */
export type Settings = Readonly<Record<string, string>>;

const program = new URL('../../apps/catalog-api/dist/cli.js', import.meta.url).pathname;

/** Runs a command of the built catalog and returns its output. */
export function catalogCommand(settings: Settings, ...words: string[]): string {
  const env = { ...process.env, ...settings };
  return execFileSync(process.execPath, [program, ...words], { env, encoding: 'utf8' }).trim();
}
