import type { EntityManager } from 'typeorm';
import { reasonOf } from '../../backup/backup-import.js';
import { BackupRows, BadRecordError } from '../../backup/backup-rows.js';
import { insertRows, type RecordRows } from '../../backup/insert-rows.js';
import { columnsOf, type TableColumns } from '../../backup/table-columns.js';
import type { ConvertedRecord } from './record-converter.js';
import type { MigratedRecord } from './source-kind.js';

/** A record that is ready to be inserted. */
interface PreparedRecord {
  readonly id: number;
  readonly name: string;
  readonly rows: RecordRows;
  /** The complete record of the DAISY as JSON, for the audit trail. */
  readonly origin: string;
}

/** Receives the results of insertions. */
export interface InsertionResults {
  inserted(count: number): void;
  refused(record: { readonly id: number; readonly name: string }, field: string, problem: string): void;
}

/** Inserts records of one kind in batches, each with an entry of the audit trail. Refused records do not stop the rest. */
export class MigratedRows {
  private batch: PreparedRecord[] = [];
  private readonly rows: BackupRows;

  constructor(
    private readonly manager: EntityManager,
    private readonly columns: TableColumns,
    private readonly trail: ImportTrail,
    private readonly results: InsertionResults,
  ) {
    this.rows = new BackupRows(columns);
  }

  /** Adds a record to the next batch, unless a text is too long for its column. */
  add(type: string, { id, name, record, origin }: ConvertedRecord): void {
    try {
      const rows = this.rows.of(lineOf(type, record));
      const tooLong = this.tooLongIn(rows);
      for (const { field, problem } of tooLong) this.results.refused({ id, name }, field, problem);
      if (tooLong.length === 0) this.batch.push({ id, name, rows, origin });
    } catch (error) {
      if (!(error instanceof BadRecordError)) throw error;
      this.results.refused({ id, name }, '', error.message);
    }
  }

  /** Inserts the batch. If the database refuses the batch, each record is inserted separately. */
  async flush(resource: string): Promise<void> {
    const { batch } = this;
    this.batch = [];
    if (batch.length === 0 || (await this.insert(resource, batch)) === undefined) return;
    for (const record of batch) {
      const problem = await this.insert(resource, [record]);
      if (problem !== undefined) this.results.refused(record, '', problem);
    }
  }

  /** Inserts records. @returns the reason if the database refuses them */
  private async insert(resource: string, records: readonly PreparedRecord[]): Promise<string | undefined> {
    await this.manager.query('SAVEPOINT migrated');
    try {
      await insertRows(
        this.manager,
        this.columns,
        records.map(({ rows }) => rows),
      );
    } catch (error) {
      await this.manager.query('ROLLBACK TO SAVEPOINT migrated');
      return reasonOf(error);
    }
    await this.manager.query('RELEASE SAVEPOINT migrated');
    await this.trail.add(resource, records);
    this.results.inserted(records.length);
    return undefined;
  }

  private tooLongIn(rows: RecordRows): { field: string; problem: string }[] {
    const problems: { field: string; problem: string }[] = [];
    const [main] = rows.keys();
    for (const [table, texts] of rows) {
      const limits = columnsOf(this.columns, table).filter(({ limit }) => limit !== null);
      for (const text of texts) {
        const row = JSON.parse(text) as Record<string, unknown>;
        for (const { name, limit } of limits) {
          const value = row[name];
          const length = typeof value === 'string' ? charactersIn(value) : 0;
          if (limit === null || length <= limit) continue;
          const field = table === main ? name : `${table}.${name}`;
          problems.push({ field, problem: `must have at most ${String(limit)} characters; it has ${String(length)}` });
        }
      }
    }
    return problems;
  }
}

/** The actor of the entries that a migration adds to the audit trail. */
export const migrationActor = 'command: import daisy';

/** Adds the entries of a migration to the audit trail, with ids that no sequence assigned. */
export class ImportTrail {
  private constructor(
    private readonly manager: EntityManager,
    private last: number,
  ) {}

  /** Continues after the last entry. Callers hold a lock, so that no other entries are added. */
  static async open(manager: EntityManager): Promise<ImportTrail> {
    const [{ last }] = await manager.query<[{ last: string }]>(
      `SELECT greatest((SELECT coalesce(max(id), 0) FROM audit_entries),
         coalesce(pg_sequence_last_value(pg_get_serial_sequence('audit_entries', 'id')::regclass), 0)) AS last`,
    );
    return new ImportTrail(manager, Number(last));
  }

  /** Adds one entry per record, with the complete record of the DAISY. */
  async add(resource: string, records: readonly PreparedRecord[]): Promise<void> {
    await this.manager.query(
      `INSERT INTO audit_entries (id, actor, action, resource, record_id, after)
       SELECT $1::bigint + ordinality, $2, 'import', $3, record_id, origin::jsonb
         FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS entry (record_id, origin, ordinality)`,
      [this.last, migrationActor, resource, records.map(({ id }) => String(id)), records.map(({ origin }) => origin)],
    );
    this.last += records.length;
  }

  /** Adds complete entries, such as those of the past. */
  async addEntries(entries: readonly object[]): Promise<void> {
    await this.manager.query(
      `INSERT INTO audit_entries (id, at, actor, action, resource, record_id, before, after, address)
       SELECT $1::bigint + ordinality, at, actor, action, resource, record_id, before, after, address
         FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (at timestamptz, actor text, action text, resource text,
           record_id text, before jsonb, after jsonb, address text)) WITH ORDINALITY`,
      [this.last, JSON.stringify(entries)],
    );
    this.last += entries.length;
  }
}

/** Returns the number of characters as the database counts them. */
function charactersIn(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

/** Returns a record as a line of a backup. The text of the metadata is inserted unchanged. */
function lineOf(type: string, { metadata, ...record }: MigratedRecord): string {
  const line = JSON.stringify({ record: type, ...record });
  return metadata === undefined ? line : `${line.slice(0, -1)},"metadata":${metadata}}`;
}
