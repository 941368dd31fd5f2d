import type { Notes } from '../raw-values.js';
import type { SourceKindName } from './source-kind.js';

/** A value of a record that the catalog refuses. */
export interface MigrationProblem {
  readonly record: string;
  /** The column, or empty if the database refused the whole record. */
  readonly field: string;
  readonly problem: string;
}

/** The counts of one kind of record. */
export interface KindCounts {
  existed: number;
  imported: number;
  /** The number of records that an earlier migration imported and that are unchanged in DAISY. */
  unchanged: number;
  leftOut: number;
}

/** The result of a migration: counts by kind, and every change, omission and problem by the name of the record. */
export class MigrationReport implements Notes {
  /** The records with each change, by kind and change. */
  readonly changes = new Map<string, Map<string, string[]>>();
  readonly leftOut: { readonly record: string; readonly reason: string }[] = [];
  readonly problems: MigrationProblem[] = [];
  /** Records that DAISY changed or added after the migration. */
  readonly later: string[] = [];
  /** Facts about the whole migration. */
  readonly remarks: string[] = [];
  private readonly kinds = new Map<string, KindCounts>();

  /** Returns the counts of a kind, which the caller increases. */
  countsOf(kind: string): KindCounts {
    const counts = this.kinds.get(kind) ?? { existed: 0, imported: 0, unchanged: 0, leftOut: 0 };
    this.kinds.set(kind, counts);
    return counts;
  }

  note(kind: string, change: string, record: string): void {
    const ofKind = this.changes.get(kind) ?? new Map<string, string[]>();
    const records = ofKind.get(change) ?? [];
    if (records.at(-1) !== record) records.push(record);
    this.changes.set(kind, ofKind.set(change, records));
  }

  omit(kind: SourceKindName, record: string, reason: string): void {
    this.countsOf(kind).leftOut++;
    this.leftOut.push({ record: `${kind}/${record}`, reason });
  }

  refuse(kind: SourceKindName, record: string, field: string, problem: string): void {
    this.problems.push({ record: `${kind}/${record}`, field, problem });
  }

  /** Returns one line per kind, for the terminal. */
  summary(): string[] {
    return [...this.kinds].map(([kind, { existed, imported, unchanged, leftOut }]) => {
      const changed = this.changedIn(kind);
      const before = unchanged > 0 ? `, ${String(unchanged)} imported before` : '';
      return `${kind}: ${String(existed)} existed, ${String(imported)} imported${before}, ${String(changed)} changed, ${String(leftOut)} left out.`;
    });
  }

  private changedIn(kind: string): number {
    return new Set([...(this.changes.get(kind)?.values() ?? [])].flat()).size;
  }
}
