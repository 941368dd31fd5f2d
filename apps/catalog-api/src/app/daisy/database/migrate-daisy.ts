import { UsageError } from '@rdc/cli';
import { unlink, writeFile } from 'node:fs/promises';
import type { DataSource } from 'typeorm';
import type { CommandContext } from '../../../platform/command-line/command.js';
import { readText } from '../../../platform/command-line/input-file.js';
import { accountSecretsOf } from '../../../platform/secrets/secrets.module.js';
import { SecretsSettings } from '../../../platform/secrets/secrets.settings.js';
import { requireKeyHashSecret } from '../../../people/keys/key.commands.js';
import { requireServiceSecret } from '../../../people/keys/key-secret.js';
import { keyHasherOf } from '../../../people/keys/keys.module.js';
import { DocumentsSettings } from '../../../publishing/documents/documents.settings.js';
import { StoredDocuments } from '../../../publishing/documents/stored-documents.js';
import { Accessions } from '../../../publishing/writing/accessions.js';
import { AccessionsSettings } from '../../../publishing/writing/accessions.settings.js';
import { storedLists } from '../../../records/definitions/stored-lists.js';
import type { ListComparison } from './comparison.js';
import { DaisyDatabase } from './daisy-database.js';
import { DaisyMigration, type MigrationOptions } from './daisy-migration.js';
import { migrateKeys, type KeyMigrationResult, type NewKey } from './endpoint-keys.js';
import { MigrationReport } from './migration-report.js';
import { isMigrated, MigrationRecheck } from './recheck.js';
import { remarksOn } from './remarks.js';
import { reportText } from './report-text.js';

/** The error of a migration that wrote nothing, because the catalog refuses records. */
export class MigrationRefusedError extends Error {
  override readonly name = MigrationRefusedError.name;
}

/** The options of `import daisy --database`. */
export interface MigrateOptions {
  readonly database: string;
  readonly report: string;
  readonly publicPlatforms: string;
  readonly timeZone: string;
  readonly skip: readonly string[];
  readonly keys?: string | undefined;
  readonly newKeys?: string | undefined;
  readonly keysUntil: Date;
  readonly dryRun: boolean;
}

/** Imports the database of a DAISY, and writes the report. A second run writes only the report. */
export async function migrateDaisy(options: MigrateOptions, context: CommandContext): Promise<void> {
  requireKeyHashSecret(context.settings.get(SecretsSettings));
  if (URL.canParse(options.database) && new URL(options.database).password !== '') {
    context.print(
      'Warning: other users of this machine can read the password of --database in the list of processes. Use PGPASSWORD instead.',
    );
  }
  const daisy = await DaisyDatabase.open(options.database, options.timeZone);
  try {
    await context.withCatalog((dataSource) => run(daisy, options, context, dataSource));
  } finally {
    await daisy.close();
  }
}

async function run(
  daisy: DaisyDatabase,
  options: MigrateOptions,
  context: CommandContext,
  dataSource: DataSource,
): Promise<void> {
  const secrets = context.settings.get(SecretsSettings);
  await requireServiceSecret(secrets, dataSource.manager);
  const report = new MigrationReport();
  const platforms = await publicPlatforms(daisy, options.publicPlatforms);
  const repeated = await isMigrated(dataSource.manager);
  const keys = await keysOf(daisy, options, context, repeated);
  report.remarks.push(...(await remarksOn(context.settings, daisy, dataSource.manager)), ...keys.remarks);
  const migration: MigrationOptions = {
    dryRun: options.dryRun,
    skip: new Set(options.skip),
    accessions: new Accessions(context.settings.get(AccessionsSettings)),
    requireServiceSecret: (manager) => requireServiceSecret(secrets, manager),
    hash: (key) => keyHasherOf(secrets).hash(key),
    isPublic: (platform) => platforms.has(platform),
    endpointKeys: keys.keysOf,
  };
  const documents = new StoredDocuments(context.settings.get(DocumentsSettings), dataSource, storedLists);
  await writeNewKeys(options, keys.issued);
  let comparison: ListComparison | undefined;
  try {
    comparison = repeated
      ? await new MigrationRecheck(daisy, report, migration).run(dataSource)
      : await new DaisyMigration(daisy, documents, report, migration).run(dataSource);
  } catch (error) {
    await removeNewKeys(options, keys.issued);
    throw error;
  }
  if (options.dryRun || report.problems.length > 0) await removeNewKeys(options, keys.issued);
  const head = { daisy: daisy.name, release: daisy.version, at: new Date(), dryRun: options.dryRun || repeated };
  await writeFile(options.report, reportText(head, report, comparison), { mode: 0o600 });
  printResult(report, comparison, options, context);
}

/** Returns the names of the platforms that endpoints may see. @throws UsageError if a name is unknown */
async function publicPlatforms(daisy: DaisyDatabase, given: string): Promise<ReadonlySet<string>> {
  const rows = await daisy.all<{ name: string }>('SELECT name FROM core_storageresource ORDER BY name');
  const all = rows.map(({ name }) => name);
  if (given === 'all') return new Set(all);
  const names = given === 'none' ? [] : given.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !all.includes(name));
  if (unknown.length === 0) return new Set(names);
  throw new UsageError(
    `--public-platforms names unknown platforms: ${unknown.join(', ')}. The platforms are: ${all.join(', ')}.`,
  );
}

async function keysOf(
  daisy: DaisyDatabase,
  { keys, keysUntil, newKeys }: MigrateOptions,
  { settings }: CommandContext,
  repeated: boolean,
): Promise<KeyMigrationResult> {
  if (repeated) return { keysOf: () => ({ keys: [], imported_keys: [] }), issued: [], remarks: [] };
  const secrets = settings.get(SecretsSettings);
  const lines = keys === undefined ? [] : (await readText(keys)).split('\n').map((line) => line.trim());
  const result = await migrateKeys(daisy, {
    keys: lines.filter((line) => line !== ''),
    until: keysUntil,
    hash: (key) => keyHasherOf(secrets).hash(key),
    seal: (hash, endpoint) => accountSecretsOf(secrets).seal('endpoint key', hash, `endpoint:${String(endpoint)}`),
  });
  if (result.issued.length > 0 && newKeys === undefined) {
    const names = result.issued.map(({ endpoint }) => `"${endpoint}"`).join(', ');
    throw new UsageError(`--new-keys is required: a file for the new keys of the endpoints ${names}.`);
  }
  return result;
}

/** Writes the new keys into a file that only its owner can read. @throws UsageError if the file exists */
async function writeNewKeys({ newKeys }: MigrateOptions, issued: readonly NewKey[]): Promise<void> {
  if (newKeys === undefined || issued.length === 0) return;
  const text = issued.map(({ endpoint, key }) => `${key}  ${endpoint}\n`).join('');
  await writeFile(newKeys, text, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    const advice = 'Name another file. If a killed run left this file, remove it: its keys are not valid.';
    throw new UsageError(
      `cannot create --new-keys ${newKeys}: ${code === 'EEXIST' ? `it exists. ${advice}` : message}`,
    );
  });
}

async function removeNewKeys({ newKeys }: MigrateOptions, issued: readonly NewKey[]): Promise<void> {
  if (newKeys !== undefined && issued.length > 0) await unlink(newKeys);
}

function printResult(
  report: MigrationReport,
  comparison: ListComparison | undefined,
  { report: file, dryRun }: MigrateOptions,
  { print }: CommandContext,
): void {
  for (const line of report.summary()) print(`${dryRun ? 'dry run: ' : ''}${line}`);
  for (const line of report.later) print(line);
  print(`The report is in ${file}.`);
  if (report.problems.length > 0) {
    for (const { record, field, problem } of report.problems) print(`${record}: ${field} ${problem}`);
    const records = new Set(report.problems.map(({ record }) => record)).size;
    throw new MigrationRefusedError(
      `Nothing was written: ${String(records)} records are refused. Change them in DAISY, or leave them out with --skip.`,
    );
  }
  const { compared = 0, differences = [] } = comparison ?? {};
  print(
    differences.length === 0
      ? `All ${String(compared)} lists of both systems are equal.`
      : `${String(compared)} lists of both systems were compared; the report names ${String(differences.length)} differences.`,
  );
}
