import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Searches every log of a test run for every recorded secret (`test/support/test-logs.ts`) and for addresses of e-mail.
 * Exits with 1 if one is found. Exits with 1 also if there are fewer logs or secrets than required, because a search
 * without logs finds no secret.
 *
 *     node scripts/search-logs.ts FOLDER [LEAST_LOGS [LEAST_SECRETS]]
 */
const [folder = '', leastLogs = '1', leastSecrets = '1'] = process.argv.slice(2);
const address = '[[:alnum:]._+-]+(@|%40)[[:alnum:]-]+(\\.[[:alnum:]-]+)*\\.[[:alpha:]]{2,}';
const shownOfEach = 5;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Returns the forms in which a log may contain a secret: verbatim, within JSON, within an address. */
function formsOf(secret: string): string[] {
  const within = new URLSearchParams({ '': secret }).toString().slice(1);
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), within];
}

function readSecrets(): string[] {
  const file = join(folder, 'secrets.ndjson');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return [...new Set(lines.map((line) => JSON.parse(line) as string))];
}

/** Searches the logs with `grep`, which reads logs of any size. @returns file, line and shortened secret of each match */
function find(files: readonly string[], flags: readonly string[], patterns: readonly string[]): string[] {
  const options = [
    '--text',
    '--line-number',
    '--with-filename',
    '--only-matching',
    `--max-count=${String(shownOfEach)}`,
  ];
  const { status, stdout, stderr } = spawnSync('grep', [...options, ...flags, '--file=-', '--', ...files], {
    ...{ cwd: folder, input: patterns.join('\n'), encoding: 'utf8', maxBuffer: 1 << 28 },
    env: { ...process.env, LC_ALL: 'C' },
  });
  if (status !== 0 && status !== 1) throw new Error(`grep failed with exit code ${String(status)}: ${stderr}`);
  return stdout.split('\n').filter(Boolean).map(withoutSecret);
}

function withoutSecret(found: string): string {
  const [place = '', secret = ''] = found.split(/(?<=^[^:]*:\d+):/);
  return `${place}: ${secret.slice(0, 3)}… (${String(secret.length)} characters)`;
}

const logs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.log')) : [];
const written = logs.filter((name) => statSync(join(folder, name)).size > 0);
const secrets = readSecrets();
const bytes = written.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
say(`${String(written.length)} logs (${String(bytes)} bytes), ${String(secrets.length)} secrets`);
const isEnough =
  written.length >= Math.max(1, Number(leastLogs)) && secrets.length >= Math.max(1, Number(leastSecrets));
if (!isEnough) say(`There must be ${leastLogs} logs and ${leastSecrets} secrets. Set TEST_LOGS when the tests run.`);
const patterns = [...new Set(secrets.flatMap(formsOf))];
const found = isEnough
  ? [...find(written, ['--fixed-strings'], patterns), ...find(written, ['--extended-regexp'], [address])]
  : [];
for (const each of found) say(each);
process.exitCode = isEnough && found.length === 0 ? 0 : 1;
