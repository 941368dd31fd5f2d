import type { DataSource, EntityManager } from 'typeorm';
import { recordServiceSettings, type WrittenSettings } from '../../publishing/documents/service-settings.js';
import type { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import type { Accessions } from '../../publishing/writing/accessions.js';
import { tryParseJson } from '../../platform/json/json.js';
import { backupFormat, backupTypes } from './backup-format.js';
import { linesOf } from './backup-lines.js';
import { BackupRows, BadRecordError } from './backup-rows.js';
import { insertRows, type RecordRows } from './insert-rows.js';
import { readTableColumns, type TableColumns } from './table-columns.js';

/** The error of a backup that cannot be imported. The catalog is unchanged. The message contains line and reason. */
export class BackupError extends Error {
  override readonly name = BackupError.name;
}

/** Options of {@link importBackup}. */
export interface BackupImportOptions {
  /** The accessions of the catalog. After the import, new accessions continue after the highest imported one. */
  readonly accessions: Accessions;
  readonly documents: StoredDocuments;
  /**
   * The settings of the service that wrote the backup, which must agree with those of this process, and a check of those that
   * `accessions` and `documents` do not check. Without `origin`, settings are not compared.
   */
  readonly origin?: {
    readonly settings: WrittenSettings;
    readonly check: (manager: EntityManager) => Promise<void>;
  };
}

interface Line {
  readonly number: number;
  readonly rows: RecordRows;
}

/** The number of records that are inserted by one statement per table. */
const batchSize = 500;

/**
 * Imports a backup into an empty catalog, completely or not at all.
 *
 * @returns the number of records
 * @throws BackupError if the catalog is not empty or if a line is invalid
 * @throws OtherSettingsError if the service, or the service that wrote the backup, started with other settings
 */
export async function importBackup(
  dataSource: DataSource,
  input: AsyncIterable<Uint8Array>,
  { accessions, documents, origin }: BackupImportOptions,
): Promise<number> {
  return dataSource.transaction(async (manager) => {
    await requireEmpty(
      manager,
      Object.values(backupTypes).map(({ table }) => table),
    );
    if (origin) {
      await recordServiceSettings(manager, origin.settings);
      await origin.check(manager);
    }
    await manager.query(`SELECT set_config('catalog.restores', 'true', true)`);
    const inserter = new Inserter(manager, await readTableColumns(manager));
    const { count, accessions: last } = await inserter.all(input);
    await moveSequences(manager);
    await manager.query(keepRemovedAccessions);
    await accessions.requireServicePrefix(manager);
    await accessions.reserveGiven(manager, last);
    await documents.rebuildAllIn(manager);
    // Without statistics, the first requests would get bad plans until autovacuum has run.
    await manager.query('ANALYZE');
    return count;
  });
}

/** Records the accessions of removed records, of which a backup contains the audit entries. */
const keepRemovedAccessions = `
  INSERT INTO accessions (accession, list)
  SELECT before ->> 'external_id', resource FROM audit_entries
   WHERE action = 'remove' AND resource IN ('projects', 'datasets', 'partners', 'cohorts')
     AND before ->> 'external_id' IS NOT NULL
  ON CONFLICT DO NOTHING`;

/** Locks tables against writes and checks that they are empty. @throws BackupError if one of them is not */
export async function requireEmpty(manager: EntityManager, tables: readonly string[]): Promise<void> {
  await manager.query(`LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
  for (const table of tables) {
    const [{ filled }] = await manager.query<[{ filled: boolean }]>(`SELECT EXISTS (SELECT FROM ${table}) AS filled`);
    if (filled)
      throw new BackupError(
        `Cannot import: the catalog is not empty (it contains ${table}). Import into an empty catalog.`,
      );
  }
}

/** Sets every sequence of ids to the highest imported id. */
export async function moveSequences(manager: EntityManager): Promise<void> {
  await manager.query(`
    DO $$
    DECLARE sequence record; last bigint;
    BEGIN
      FOR sequence IN
        SELECT table_name, pg_get_serial_sequence(table_name, 'id') AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'id' AND is_identity = 'YES'
      LOOP
        EXECUTE format('SELECT max(id) FROM %I', sequence.table_name) INTO last;
        IF last IS NOT NULL THEN PERFORM setval(sequence.name, last); END IF;
      END LOOP;
    END $$`);
}

/** Reads lines and inserts their rows in batches. */
class Inserter {
  private readonly rows: BackupRows;

  constructor(
    private readonly manager: EntityManager,
    private readonly columns: TableColumns,
  ) {
    this.rows = new BackupRows(columns);
  }

  async all(input: AsyncIterable<Uint8Array>): Promise<{ count: number; accessions: number }> {
    let batch: Line[] = [];
    let number = 0;
    let count = 0;
    let accessions: number | undefined;
    for await (const text of linesOf(input)) {
      number++;
      if (text.trim() === '') continue;
      if (accessions === undefined) {
        accessions = headerOf(text);
        continue;
      }
      batch.push(this.parse(text, number));
      count++;
      if (batch.length < batchSize) continue;
      await this.insert(batch);
      batch = [];
    }
    await this.insert(batch);
    return { count, accessions: accessions ?? headerOf('') };
  }

  private parse(text: string, number: number): Line {
    try {
      return { number, rows: this.rows.of(text) };
    } catch (error) {
      if (!(error instanceof BadRecordError || error instanceof SyntaxError)) throw error;
      throw new BackupError(`line ${String(number)}: ${error.message}`, { cause: error });
    }
  }

  private async insert(batch: readonly Line[]): Promise<void> {
    await this.manager.query('SAVEPOINT batch');
    try {
      await insertRows(
        this.manager,
        this.columns,
        batch.map(({ rows }) => rows),
      );
    } catch (error) {
      await this.manager.query('ROLLBACK TO SAVEPOINT batch');
      if (batch.length > 1) for (const line of batch) await this.insert([line]);
      throw new BackupError(`line ${String(batch[0]?.number)}: ${reasonOf(error)}`, { cause: error });
    }
    await this.manager.query('RELEASE SAVEPOINT batch');
  }
}

function headerOf(text: string): number {
  const header = tryParseJson(text) as { record?: unknown; format?: unknown; accessions?: unknown } | null | undefined;
  if (header?.record !== 'catalog' || header.format !== backupFormat) {
    throw new BackupError(`line 1: must be {"record": "catalog", "format": ${String(backupFormat)}, "accessions": n}`);
  }
  return typeof header.accessions === 'number' ? header.accessions : 0;
}

/** Returns the message of a failed insertion, with the detail of the database. */
export function reasonOf(error: unknown): string {
  const { message, driverError } = error as Error & { driverError?: { detail?: string } };
  return [message, driverError?.detail].filter(Boolean).join(': ');
}
