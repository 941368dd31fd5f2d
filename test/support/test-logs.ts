import { appendFileSync, closeSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';

/**
 * Where a test run keeps what services and commands write down, and which secrets it has used: the folder that
 * `TEST_LOGS` names. Without it nothing is kept. `scripts/search-logs.ts` looks for the secrets in the logs.
 */
const folder = process.env['TEST_LOGS'];
const noted = new Set<string>();
/** Shorter ones, which suites use as wrong keys, are words that a log may hold. */
const leastLength = 12;
const namesOfSecrets = /_(KEY|SECRET|SECRET_PREVIOUS|PASSWORD|TOKEN)$/;

/** Notes what no log may hold. @returns it */
export function noteSecret<T extends string>(secret: T): T {
  if (folder && secret !== '' && !noted.has(secret)) {
    noted.add(secret);
    appendFileSync(join(folder, 'secrets.ndjson'), `${JSON.stringify(secret)}\n`);
  }
  return secret;
}

/** Notes a key, token or password as it is used, unless it is a mere word. */
export function noteUsed(secret: string | null | undefined): void {
  if (secret && secret.length >= leastLength) noteSecret(secret);
}

/** The settings of a service that a test starts: what is secret among them is noted, and where logs are kept it logs everything. */
export function testSettings<T extends Readonly<Record<string, string>>>(settings: T): T {
  for (const [name, value] of Object.entries(settings)) {
    if (namesOfSecrets.test(name)) noteUsed(value);
    if (name.endsWith('_URL') && URL.canParse(value)) noteUsed(decodeURIComponent(new URL(value).password));
  }
  return folder ? { ...settings, LOG_LEVEL: 'debug' } : settings;
}

/** Adds to the log of a program, where logs are kept. */
export function keepLog(program: string, output: string | Uint8Array): void {
  if (folder) appendFileSync(fileOf(folder, program), output);
}

/** Opens the log of a program to append to it, until this process ends; undefined where no logs are kept. */
export function openLog(program: string): number | undefined {
  return folder ? openSync(fileOf(folder, program), 'a') : undefined;
}

/** Starts something that writes into the log of a program; undefined stands for the log where none is kept. */
export function withLog<T>(program: string, start: (log: number | undefined) => T): T {
  const log = openLog(program);
  try {
    return start(log);
  } finally {
    if (log !== undefined) closeSync(log);
  }
}

/** One for each program that a suite or a script has started. */
function fileOf(logs: string, program: string): string {
  const suite = typeof expect === 'undefined' ? process.argv[1] : expect.getState().testPath;
  return join(logs, `${basename(suite ?? 'node', '.ts')}.${program}.${String(process.pid)}.log`);
}
