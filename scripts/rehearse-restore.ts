import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whileServiceRuns } from './built-service.ts';
import { freePort } from './free-port.ts';
import { answersOf, withoutInstantsOfChange, type Answers, type Callers } from './rehearsal/answers.ts';
import { catalogCommand, type Settings } from './rehearsal/catalog.ts';
import { startDebianPostgres } from './rehearsal/debian-postgres.ts';

/**
 * Rehearses "Backup and restore" of docs/operate.md: fills a catalog with the sample, records the answers to all its GET
 * requests, and backs the catalog up in both ways. For each way, removes the database, restores it, and compares every
 * answer byte by byte. Requires a build and Debian's package `postgresql`. Exits with 1 if an answer differs.
 *
 *     npm run rehearse
 */
const sample = new URL('../sample/', import.meta.url).pathname;
const globalKey = 'the-global-key-of-the-rehearsal';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const folder = await mkdtemp(join(tmpdir(), 'rehearsal-of-restore-'));
const postgres = await startDebianPostgres();
const databaseUrl = postgres.urlOf('catalog');
const port = String(await freePort());
const url = `http://127.0.0.1:${port}`;
const settings: Settings = {
  ...{ DATABASE_URL: databaseUrl, PORT: port, HOST: '127.0.0.1', LOG_LEVEL: 'error', SERVER_URL: url },
  ...{ GLOBAL_API_KEY: globalKey, KEY_HASH_SECRET: 'the-secret-of-the-hashes-of-the-rehearsal' },
  ...{ ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '127.0.0.0/8' },
};

function run(program: string, ...words: string[]): void {
  execFileSync(postgres.program(program), words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function sql(statement: string): void {
  run('psql', '--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', `--command=${statement}`, postgres.urlOf('postgres'));
}

/** Creates a catalog with at least one record of every kind. @returns its callers */
async function fill(): Promise<Callers> {
  catalogCommand(settings, 'migrate');
  catalogCommand(settings, 'import', 'full', join(sample, 'catalog.ndjson'));
  for (const category of ['disease', 'phenotype', 'study', 'gene']) {
    catalogCommand(settings, 'import', 'terms', '--category', category, join(sample, `terms/${category}.tsv`));
  }
  const user = catalogCommand(settings, 'key', 'user', 'ines.weber@example.org');
  const endpoint = catalogCommand(settings, 'key', 'endpoint', 'Research Data Portal');
  const service = catalogCommand(settings, 'key', 'service', 'harvester', '--scope', 'records:read');
  await whileServiceRuns('catalog-api/dist/main.js', settings, claimForNobodysDataset);
  return {
    'without a key': {},
    'with a key of a user': { 'X-API-Key': user },
    'with a key of an endpoint': { 'X-API-Key': endpoint },
    'with a service key': { 'X-API-Key': service },
    'with the global key': { 'X-API-Key': globalKey },
  };
}

/** Posts a claim that is refused with 400, because refused claims are listed too. */
async function claimForNobodysDataset(): Promise<void> {
  const claim = { application: 1, resource: 'RDC_99999', user: 'somebody', mail: null, end: null };
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/api/accessreq`, { method: 'POST', headers, body: JSON.stringify([claim]) });
  if (response.status !== 400)
    throw new Error(`The claim was answered with status ${String(response.status)} instead of 400.`);
}

/** Prints every answer that differs. @returns the number of these answers */
function compare(before: Answers, after: Answers): number {
  const different = [...new Set([...before.keys(), ...after.keys()])].filter(
    (question) => before.get(question) !== after.get(question),
  );
  for (const question of different) {
    say(`  differs ${question}\n--- before\n${before.get(question) ?? ''}\n--- after\n${after.get(question) ?? ''}`);
  }
  say(`  ${String(before.size - different.length)} of ${String(before.size)} answers are the same`);
  return different.length;
}

try {
  sql('CREATE DATABASE catalog');
  const callers = await fill();
  const ask = (): Promise<Answers> =>
    whileServiceRuns('catalog-api/dist/main.js', settings, () => answersOf(url, callers));
  const before = await ask();
  const dump = join(folder, 'catalog.dump');
  run('pg_dump', '--format=custom', '--no-owner', `--file=${dump}`, databaseUrl);
  catalogCommand(settings, 'backup', join(folder, 'backups'));
  const [backup = ''] = await readdir(join(folder, 'backups'));
  const again = async (restore: () => void): Promise<Answers> => {
    sql('DROP DATABASE catalog');
    sql('CREATE DATABASE catalog');
    restore();
    return ask();
  };

  say('pg_dump and pg_restore');
  const restored = await again(() => {
    run('pg_restore', '--no-owner', '--exit-on-error', '--single-transaction', `--dbname=${databaseUrl}`, dump);
  });
  let differences = compare(before, restored);

  say('backup and import full');
  const imported = await again(() => {
    catalogCommand(settings, 'migrate');
    catalogCommand(settings, 'import', 'full', join(folder, 'backups', backup));
  });
  differences += compare(withoutInstantsOfChange(before), withoutInstantsOfChange(imported));
  process.exitCode = differences === 0 ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}
