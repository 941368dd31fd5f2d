import type { DataSource, EntityManager } from 'typeorm';
import type { StoredDocuments } from '../../publishing/documents/stored-documents.js';
import { tryParseJson } from '../../platform/json/json.js';
import { backupFormat, backupTypes } from './backup-format.js';
import { linesOf } from './backup-lines.js';
import { BackupRows, BadRecordError } from './backup-rows.js';
import { columnsOf, readTableColumns, type TableColumns } from './table-columns.js';

/** A file that cannot be imported; nothing of it was. The message names the line and the reason. */
export class BackupError extends Error {
  override readonly name = BackupError.name;
}

/** What an import is given beside the file. */
export interface BackupImportOptions {
  /** Accessions that carry this prefix move the sequence past them. */
  readonly accessionPrefix: string;
  readonly documents: StoredDocuments;
}

interface Line {
  readonly number: number;
  /** As JSON, by table. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
}

/** Records inserted by one statement for each of their tables. */
const batchSize = 500;

/**
 * Fills an empty catalog from the backup form, all or nothing; returns how many records there were.
 *
 * @throws BackupError when the catalog is not empty or a line is wrong
 */
export async function importBackup(
  dataSource: DataSource,
  input: AsyncIterable<Uint8Array>,
  { accessionPrefix, documents }: BackupImportOptions,
): Promise<number> {
  return dataSource.transaction(async (manager) => {
    await refuseUnlessEmpty(manager);
    const inserter = new Inserter(manager, await readTableColumns(manager));
    const { count, accessions } = await inserter.all(input);
    await moveSequences(manager, accessionPrefix, accessions);
    await documents.rebuildAllIn(manager);
    // So that the first requests find good plans, and need not wait for autovacuum.
    await manager.query('ANALYZE');
    return count;
  });
}

async function refuseUnlessEmpty(manager: EntityManager): Promise<void> {
  const tables = Object.values(backupTypes).map(({ table }) => table);
  await manager.query(`LOCK TABLE ${tables.join(', ')} IN EXCLUSIVE MODE`);
  for (const table of tables) {
    const [{ filled }] = await manager.query<[{ filled: boolean }]>(`SELECT EXISTS (SELECT FROM ${table}) AS filled`);
    if (filled) throw new BackupError(`A backup is imported into an empty catalog; this one already has ${table}.`);
  }
}

/** Moves every sequence past the ids and accessions that the file brought. */
async function moveSequences(manager: EntityManager, prefix: string, accessions: number): Promise<void> {
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
  await manager.query(
    `SELECT setval('accession_numbers', last) FROM (
       SELECT greatest($2::bigint, max(substr(external_id, length($1) + 1)::bigint)) AS last
       FROM (SELECT external_id FROM projects UNION ALL SELECT external_id FROM datasets
             UNION ALL SELECT external_id FROM partners UNION ALL SELECT external_id FROM cohorts) AS given
       WHERE starts_with(external_id, $1) AND substr(external_id, length($1) + 1) ~ '^[0-9]{1,15}$') AS numbers
     WHERE last > 0`,
    [prefix, accessions],
  );
}

/** Reads lines and inserts their rows, many at a time. */
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
      await this.insertRows(batch);
    } catch (error) {
      await this.manager.query('ROLLBACK TO SAVEPOINT batch');
      if (batch.length > 1) for (const line of batch) await this.insert([line]);
      throw new BackupError(`line ${String(batch[0]?.number)}: ${reasonOf(error)}`, { cause: error });
    }
    await this.manager.query('RELEASE SAVEPOINT batch');
  }

  private async insertRows(batch: readonly Line[]): Promise<void> {
    const byTable = new Map<string, string[]>();
    for (const { rows } of batch) {
      for (const [table, some] of rows) byTable.set(table, [...(byTable.get(table) ?? []), ...some]);
    }
    for (const [table, rows] of byTable) {
      const columns = columnsOf(this.columns, table);
      const values = columns.map(({ name, fallback }) => (fallback ? `coalesce(${name}, ${fallback})` : name));
      await this.manager.query(
        `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')})
         SELECT ${values.join(', ')} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
        [`[${rows.join(',')}]`],
      );
    }
  }
}

function headerOf(text: string): number {
  const header = tryParseJson(text) as { record?: unknown; format?: unknown; accessions?: unknown } | null | undefined;
  if (header?.record !== 'catalog' || header.format !== backupFormat) {
    throw new BackupError(`line 1: must be {"record": "catalog", "format": ${String(backupFormat)}, "accessions": n}`);
  }
  return typeof header.accessions === 'number' ? header.accessions : 0;
}

function reasonOf(error: unknown): string {
  const { message, driverError } = error as Error & { driverError?: { detail?: string } };
  return [message, driverError?.detail].filter(Boolean).join(': ');
}
