import { UsageError } from '@rdc/cli';
import { rawOf, RawRecord, textOf } from '../raw-values.js';
import type { MigrationReport } from './migration-report.js';
import type { Conversion, MigratedRecord, SourceKind, SourceKindName } from './source-kind.js';

/** A row as read from the DAISY. Both columns are JSON. */
export interface SourceRow {
  readonly row: string;
  readonly hidden: string | null;
}

/** A record in both forms. */
export interface ConvertedRecord {
  readonly id: number;
  /** The accession, or the id. */
  readonly name: string;
  readonly record: MigratedRecord;
  /** The complete record of the DAISY as JSON. */
  readonly origin: string;
}

/** The settings of conversions. */
export type ConverterOptions = Omit<Conversion, 'present'> & {
  /** The names of records to leave out, as `<kind>/<accession>` or `<kind>/<id>`. */
  readonly skip: ReadonlySet<string>;
};

/** Returns the statement of a kind with its columns as text, because JavaScript would change large numbers. */
export function textSql({ row, hidden = 'NULL', from }: SourceKind): string {
  return `SELECT (${row})::text AS row, (${hidden})::text AS hidden FROM ${from}`;
}

/** Converts the records of a DAISY in the order of their kinds. No record refers to a record that is left out. */
export class RecordConverter {
  private readonly removed = new Map<SourceKindName, Set<number>>();
  private readonly skipped = new Set<string>();
  private readonly conversion: Conversion;

  constructor(
    private readonly report: MigrationReport,
    private readonly options: ConverterOptions,
  ) {
    const { hash, isPublic, endpointKeys } = options;
    this.conversion = { hash, isPublic, endpointKeys, present: this.present.bind(this) };
  }

  /** Returns a record, or undefined if the record is left out. */
  convert(source: SourceKind, { row, hidden }: SourceRow): ConvertedRecord | undefined {
    const raw = rawOf(JSON.parse(row));
    const id = Number(raw['id']);
    const name = textOf(raw['elu_accession']) ?? String(id);
    this.report.countsOf(source.kind).existed++;
    if (this.isSkipped(source.kind, [name, String(id)])) {
      this.omit(source.kind, id, name, 'named by --skip');
      return undefined;
    }
    const record = new RawRecord(raw, source.kind, this.report, name);
    const converted = source.convert(record, this.conversion, rawOf(hidden === null ? null : JSON.parse(hidden)));
    if ('leftOut' in converted) {
      this.omit(source.kind, id, name, String(converted.leftOut));
      return undefined;
    }
    return { id, name, record: converted, origin: row };
  }

  /** Ensures that no later record refers to a record. */
  remove(kind: SourceKindName, id: number): void {
    const ids = this.removed.get(kind) ?? new Set<number>();
    this.removed.set(kind, ids.add(id));
  }

  /** @throws UsageError if a name in `--skip` belongs to no record */
  requireAllSkipped(): void {
    const unknown = [...this.options.skip].filter((name) => !this.skipped.has(name));
    if (unknown.length === 0) return;
    throw new UsageError(`--skip names records that the DAISY does not have: ${unknown.join(', ')}.`);
  }

  private present(record: RawRecord, kind: SourceKindName, ids: unknown, what: string): number[] {
    const removed = this.removed.get(kind);
    return (Array.isArray(ids) ? (ids as unknown[]) : []).flatMap((id) => {
      if (typeof id !== 'number') return [];
      if (!removed?.has(id)) return id;
      record.note(`a ${what} was removed, because ${kind}/${String(id)} is left out`);
      return [];
    });
  }

  private isSkipped(kind: SourceKindName, names: readonly string[]): boolean {
    const found = names.map((name) => `${kind}/${name}`).filter((name) => this.options.skip.has(name));
    for (const name of found) this.skipped.add(name);
    return found.length > 0;
  }

  private omit(kind: SourceKindName, id: number, name: string, reason: string): void {
    this.remove(kind, id);
    this.report.omit(kind, name, reason);
  }
}
