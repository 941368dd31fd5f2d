import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Searches every log that a test run has kept for every secret that it has noted (`test/support/test-logs.ts`), and for
 * addresses of e-mail. Exits with 1 when one is found, and when there are fewer logs or secrets than there must be:
 * nothing is found where nothing was kept.
 *
 *     node scripts/search-logs.ts FOLDER [LEAST_LOGS [LEAST_SECRETS]]
 */
const [folder = '', leastLogs = '1', leastSecrets = '1'] = process.argv.slice(2);
const address = '[[:alnum:]._+-]+(@|%40)[[:alnum:]-]+(\\.[[:alnum:]-]+)*\\.[[:alpha:]]{2,}';
const shownOfEach = 5;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A secret as it may stand in a log: as it is, within JSON, within an address. */
function formsOf(secret: string): string[] {
  const within = new URLSearchParams({ '': secret }).toString().slice(1);
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), within];
}

function readSecrets(): string[] {
  const file = join(folder, 'secrets.ndjson');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return [...new Set(lines.map((line) => JSON.parse(line) as string))];
}

/** What `grep`, which reads logs of any size, finds in the logs: file, line and what stands there, but not all of it. */
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
  if (status !== 0 && status !== 1) throw new Error(`grep ended with ${String(status)}: ${stderr}`);
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
if (!isEnough)
  say(`There must be ${leastLogs} logs and ${leastSecrets} secrets: is TEST_LOGS set where they are made?`);
const patterns = [...new Set(secrets.flatMap(formsOf))];
const found = isEnough
  ? [...find(written, ['--fixed-strings'], patterns), ...find(written, ['--extended-regexp'], [address])]
  : [];
for (const each of found) say(each);
process.exitCode = isEnough && found.length === 0 ? 0 : 1;
