import { hash } from 'node:crypto';
import type { ListedRecord, Records } from './records.js';

/** What the records of a folder say, by name without its ending. */
export interface IndexedRecords<T> {
  readonly byName: ReadonlyMap<string, T>;
  /** Another text as soon as a record came, went or is another. */
  readonly version: string;
}

interface Known<T> {
  readonly version: string;
  readonly value: T;
}

const ending = /\.json$/;

/** The JSON records of one folder, kept in memory: one listing tells what came, went or is another; only that is read. */
export class RecordIndex<T> {
  private known = new Map<string, Known<T>>();
  private listed: readonly ListedRecord[] | null = null;
  private indexed: IndexedRecords<T> = { byName: new Map(), version: '' };
  private refreshing: Promise<IndexedRecords<T>> | null = null;

  /** @param parse what is kept of a record's text */
  constructor(
    private readonly records: Records,
    private readonly folder: string,
    private readonly parse: (text: string) => T,
  ) {}

  /** Every record as the folder is now. */
  all(): Promise<IndexedRecords<T>> {
    this.refreshing ??= this.refresh().finally(() => {
      this.refreshing = null;
    });
    return this.refreshing;
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
    this.indexed = {
      byName: new Map([...next].map(([name, { value }]) => [name.replace(ending, ''), value])),
      version: hash('sha256', [...next].map(([name, { version }]) => `${name} ${version}`).join('\n'), 'base64url'),
    };
    return this.indexed;
  }
}
