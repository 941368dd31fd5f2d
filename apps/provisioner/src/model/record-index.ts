import { hash } from 'node:crypto';
import type { Subject } from './identifier.js';
import { FoldedIds } from './folded-ids.js';
import { CoalescedCall } from './coalesced-call.js';
import type { ListedRecord, Records } from './records.js';

/** The parsed records of a folder, by subject. */
export class IndexedRecords<T> {
  private folded: FoldedIds | null = null;

  constructor(
    readonly bySubject: ReadonlyMap<string, T>,
    /** Changes whenever a record is added, removed or replaced. */
    readonly version: string,
  ) {}

  /** Returns the subject of a record that differs from the given subject only by case. */
  caseVariantOf(subject: string): string | undefined {
    this.folded ??= FoldedIds.of(this.bySubject.keys());
    return this.folded.caseVariantOf(subject);
  }
}

interface CachedRecord<T> {
  readonly version: string;
  readonly value: T;
}

/** A cache of the JSON records of one folder. Each refresh lists the folder and reads only new and changed records. */
export class RecordIndex<T extends { readonly subject: Subject }> {
  private cache = new Map<string, CachedRecord<T>>();
  private listed: readonly ListedRecord[] | null = null;
  private indexed = new IndexedRecords<T>(new Map(), '');
  private readonly refreshing = new CoalescedCall(() => this.refresh());

  /** @param parse converts the text of a record to the cached value */
  constructor(
    private readonly records: Records,
    private readonly folder: string,
    private readonly parse: (text: string) => T,
  ) {}

  /** Returns every record of the folder. The listing starts after the call. @throws StorageFailure if reading fails */
  all(): Promise<IndexedRecords<T>> {
    return this.refreshing.run();
  }

  private async refresh(): Promise<IndexedRecords<T>> {
    const listed = await this.records.list(this.folder);
    if (listed === this.listed) return this.indexed;
    const next = new Map<string, CachedRecord<T>>();
    const unread: ListedRecord[] = [];
    for (const record of listed) {
      const cached = this.cache.get(record.name);
      if (cached?.version === record.version) next.set(record.name, cached);
      else unread.push(record);
    }
    const texts = await this.records.readAll(unread.map(({ name }) => `${this.folder}/${name}`));
    for (const [at, { name, version }] of unread.entries()) {
      const text = texts[at];
      if (text != null) next.set(name, { version, value: this.parse(text) });
    }
    this.cache = next;
    this.listed = listed;
    this.indexed = new IndexedRecords(
      new Map([...next.values()].map(({ value }) => [value.subject.id, value])),
      hash('sha256', [...next].map(([name, { version }]) => `${name} ${version}`).join('\n'), 'base64url'),
    );
    return this.indexed;
  }
}
