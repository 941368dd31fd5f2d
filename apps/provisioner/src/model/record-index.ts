import { hash } from 'node:crypto';
import { FoldedIds } from './folded-ids.js';
import { CoalescedCall } from './coalesced-call.js';
import type { ListedRecord, Records } from './records.js';

/** The parsed records of a folder, by the id of their subject. */
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
export class RecordIndex<T> {
  private cache = new Map<string, CachedRecord<T>>();
  private listed: readonly ListedRecord[] | null = null;
  private indexed = new IndexedRecords<T>(new Map(), '');
  private readonly refreshing = new CoalescedCall(() => this.refresh());

  /**
   * @param parse converts the text of a record to the cached value; null for a text that is not such a record
   * @param idOf returns the id of a value's subject
   */
  constructor(
    private readonly records: Records,
    private readonly folder: string,
    private readonly parse: (text: string) => T | null,
    private readonly idOf: (value: T) => string,
  ) {}

  /** The records that were read last. */
  get lastRead(): IndexedRecords<T> {
    return this.indexed;
  }

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
    if (unread.length > 0 || next.size < this.cache.size) {
      await this.readInto(next, unread);
      this.cache = next;
      this.indexed = this.index();
    }
    this.listed = listed;
    return this.indexed;
  }

  private async readInto(cache: Map<string, CachedRecord<T>>, unread: readonly ListedRecord[]): Promise<void> {
    const texts = await this.records.readAll(unread.map(({ name }) => `${this.folder}/${name}`));
    for (const [at, { name, version }] of unread.entries()) {
      const text = texts[at];
      const value = text == null ? null : this.parse(text);
      if (value !== null) cache.set(name, { version, value });
    }
  }

  private index(): IndexedRecords<T> {
    return new IndexedRecords(
      new Map([...this.cache.values()].map(({ value }) => [this.idOf(value), value])),
      hash('sha256', [...this.cache].map(([name, { version }]) => `${name} ${version}`).join('\n'), 'base64url'),
    );
  }
}
