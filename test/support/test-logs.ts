import { appendFileSync, closeSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * The folder `TEST_LOGS`, in which a test run keeps the logs of services and commands and the used secrets. If the
 * variable is not set, they are not kept. `scripts/search-logs.ts` searches the logs for the secrets.
 */
const folder = process.env['TEST_LOGS'];
const noted = new Set<string>();
/** Minimum length of a secret. Suites use shorter words as wrong keys, which a log may contain. */
const leastLength = 12;
const namesOfSecrets = /_(KEY|SECRET|SECRET_PREVIOUS|PASSWORD|TOKEN)$/;

/** Records a text that no log may contain. @returns the text */
export function noteSecret<T extends string>(secret: T): T {
  if (folder && secret !== '' && !noted.has(secret)) {
    noted.add(secret);
    appendFileSync(join(folder, 'secrets.ndjson'), `${JSON.stringify(secret)}\n`);
  }
  return secret;
}

/** Records a used key, token or password, unless it is shorter than the minimum. */
export function noteUsed(secret: string | null | undefined): void {
  if (secret && secret.length >= leastLength) noteSecret(secret);
}

/** Returns the settings of a test's service, and records their secrets. If logs are kept, the service logs all levels. */
export function testSettings<T extends Readonly<Record<string, string>>>(settings: T): T {
  for (const [name, value] of Object.entries(settings)) {
    if (namesOfSecrets.test(name)) noteUsed(value);
    if (name.endsWith('_URL') && URL.canParse(value)) noteUsed(decodeURIComponent(new URL(value).password));
  }
  return folder ? { ...settings, LOG_LEVEL: 'debug' } : settings;
}

/** Adds a text to the log of a program if logs are kept. */
export function keepLog(program: string, output: string | Uint8Array): void {
  if (folder) appendFileSync(fileOf(folder, program), output);
}

/** Opens the log of a program for appending until this process ends. @returns undefined if no logs are kept */
export function openLog(program: string): number | undefined {
  return folder ? openSync(fileOf(folder, program), 'a') : undefined;
}

/** Starts a program that writes into its log. If no logs are kept, the log is undefined. */
export function withLog<T>(program: string, start: (log: number | undefined) => T): T {
  const log = openLog(program);
  try {
    return start(log);
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/** Returns the file of a program's log. */
function fileOf(logs: string, program: string): string {
  const suite = typeof expect === 'undefined' ? process.argv[1] : expect.getState().testPath;
  return join(logs, `${basename(suite ?? 'node', '.ts')}.${program}.${String(process.pid)}.log`);
}
