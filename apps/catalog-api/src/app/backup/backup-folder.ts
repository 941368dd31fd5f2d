import { UsageError } from '@rdc/cli';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { DataSource } from 'typeorm';
import type { WrittenSettings } from '../../publishing/documents/service-settings.js';
import { exportBackup } from './backup-export.js';

/** The description of a backup, in the file `backup.json` next to the records. */
export interface BackupDescription {
  /** The version of the catalog that wrote the backup. */
  readonly version: string;
  /** The settings that are stored in records and documents. A secret is a fingerprint. */
  readonly settings: WrittenSettings;
  /** The names of the secrets that a restore needs. Their values are not in the backup. */
  readonly secrets: readonly string[];
}

/** Options of {@link writeBackup}. */
export interface BackupOptions {
  readonly version: string;
  /** The number of complete backups that remain in the folder. */
  readonly keep: number;
  readonly now: Date;
}

const recordsFile = 'catalog.ndjson';
const descriptionFile = 'backup.json';
const partialPrefix = '.partial-';
const completeName = /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/;

/** The age from which the remainder of a killed command is removed. A younger one may belong to a running command. */
const partialAgeMs = 24 * 3600 * 1000;

/**
 * Writes a backup to a new folder in `folder`, named by the time in UTC, and removes the oldest backups. The new folder
 * appears complete or not at all; the records in it are one consistent state. Only the account of the process can read it.
 *
 * @returns the path of the new folder
 */
export async function writeBackup(dataSource: DataSource, folder: string, options: BackupOptions): Promise<string> {
  await mkdir(folder, { recursive: true });
  await removePartial(folder, options.now);
  const partial = await mkdtemp(join(folder, partialPrefix));
  try {
    await writeRecords(dataSource, join(partial, recordsFile));
    await writeDescription(dataSource, join(partial, descriptionFile), options.version);
    await flush(partial);
    const complete = join(folder, options.now.toISOString().replaceAll(':', ''));
    await rename(partial, complete);
    await flush(folder);
    await removeOldest(folder, options.keep);
    return complete;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Returns the file with the records of a backup: the file itself, or a file in the folder of a backup. */
export async function recordsOf(backup: string): Promise<string> {
  return (await isFolder(backup)) ? join(backup, recordsFile) : backup;
}

/** @returns the settings of the service that wrote the backup; undefined if the backup is a single file */
export async function settingsOfBackup(backup: string): Promise<WrittenSettings | undefined> {
  if (!(await isFolder(backup))) return undefined;
  const file = join(backup, descriptionFile);
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as BackupDescription).settings;
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message}`);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function writeRecords(dataSource: DataSource, file: string): Promise<void> {
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  await exportBackup(dataSource, output);
  output.end();
  await finished(output);
}

async function writeDescription(dataSource: DataSource, file: string, version: string): Promise<void> {
  const rows = await dataSource.query<{ name: string; value: string | null }[]>(
    'SELECT name, value FROM service_settings ORDER BY name',
  );
  const settings = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  const description: BackupDescription = { version, settings, secrets: ['KEY_HASH_SECRET'] };
  const output = await open(file, 'wx', 0o600);
  try {
    await output.writeFile(`${JSON.stringify(description, null, 2)}\n`);
    await output.sync();
  } finally {
    await output.close();
  }
}

/** Flushes the entries of a folder to the disk. */
async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removePartial(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(partialPrefix)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (now.getTime() - mtimeMs > partialAgeMs) await rm(path, { recursive: true, force: true });
  }
}

async function removeOldest(folder: string, keep: number): Promise<void> {
  const complete = (await readdir(folder)).filter((name) => completeName.test(name)).sort();
  for (const name of complete.slice(0, -keep)) await rm(join(folder, name), { recursive: true, force: true });
}
