import { hash } from 'node:crypto';
import { FoldedIds } from './folded-ids.js';
import { CoalescedCall } from './fresh-answer.js';
import type { ListedRecord, Records } from './records.js';

/** What the records of a folder say. */
export class IndexedRecords<T> {
  private folded: FoldedIds | null = null;

  constructor(
    readonly bySubject: ReadonlyMap<string, T>,
    /** Another text as soon as a record came, went or is another. */
    readonly version: string,
  ) {}

  /** The subject of one that differs from this by case only. */
  caseVariantOf(subject: string): string | undefined {
    this.folded ??= FoldedIds.of(this.bySubject.keys());
    return this.folded.caseVariantOf(subject);
  }
}

interface Known<T> {
  readonly version: string;
  readonly value: T;
}

/** The JSON records of one folder, kept in memory: one listing tells what came, went or is another; only that is read. */
export class RecordIndex<T extends { readonly subject: string }> {
  private known = new Map<string, Known<T>>();
  private listed: readonly ListedRecord[] | null = null;
  private indexed = new IndexedRecords<T>(new Map(), '');
  private readonly fresh = new CoalescedCall(() => this.refresh());

  /** @param parse what is kept of a record's text */
  constructor(
    private readonly records: Records,
    private readonly folder: string,
    private readonly parse: (text: string) => T,
  ) {}

  /** Every record as the folder is now. */
  all(): Promise<IndexedRecords<T>> {
    return this.fresh.run();
  }

  private async refresh(): Promise<IndexedRecords<T>> {
    const listed = await this.records.list(this.folder);
    if (listed === this.listed) return this.indexed;
    const next = new Map<string, Known<T>>();
    const unread: ListedRecord[] = [];
    for (const record of listed) {
      const former = this.known.get(record.name);
      if (former?.version === record.version) next.set(record.name, former);
      else unread.push(record);
    }
    const texts = await this.records.readAll(unread.map(({ name }) => `${this.folder}/${name}`));
    for (const [at, { name, version }] of unread.entries()) {
      const text = texts[at];
      if (text != null) next.set(name, { version, value: this.parse(text) });
    }
    this.known = next;
    this.listed = listed;
    this.indexed = new IndexedRecords(
      new Map([...next.values()].map(({ value }) => [value.subject, value])),
      hash('sha256', [...next].map(([name, { version }]) => `${name} ${version}`).join('\n'), 'base64url'),
    );
    return this.indexed;
  }
}
