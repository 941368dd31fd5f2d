import { deserialize, serialize } from 'node:v8';
import { columnsOf, rowsOf, type Columns } from '../concurrency/columns.js';
import { GrowingBytes } from './growing-bytes.js';
import type { SourceEntry } from '../model/source-system.js';

/** What is kept of one walk: some 300,000 entries. */
const maxBytes = 32 * 1024 * 1024;

const properties = ['path', 'type', 'size', 'mtimeNs', 'ctimeNs', 'version', 'etag', 'mode', 'target'] as const;

/**
 * The entries of a walk, to be gone through again without asking the source: over a network each costs it a call.
 * What is too large for memory is walked again instead.
 */
export class WalkedEntries {
  private readonly bytes = new GrowingBytes();
  /** Where each run of entries ends in the bytes; null once they are too many. */
  private ends: number[] | null = [];

  /** @param walkAgain the same entries from the source */
  constructor(private readonly walkAgain: () => AsyncIterable<readonly SourceEntry[]>) {}

  add(entries: readonly SourceEntry[]): void {
    if (!this.ends || entries.length === 0) return;
    const run = serialize(columnsOf(entries, properties));
    const from = this.ends.at(-1) ?? 0;
    const end = from + run.length;
    if (end > maxBytes) this.release();
    else {
      run.copy(this.bytes.reach(end), from);
      this.ends.push(end);
    }
  }

  /** All that were added, some hundred at a time. */
  async *read(): AsyncGenerator<readonly SourceEntry[]> {
    if (!this.ends) {
      yield* this.walkAgain();
      return;
    }
    let from = 0;
    for (const end of this.ends) {
      yield rowsOf(deserialize(this.bytes.reach(end).subarray(from, end)) as Columns<SourceEntry>);
      from = end;
    }
  }

  /** Gives the memory back at once; from now on they are walked again. */
  release(): void {
    this.ends = null;
    this.bytes.release();
  }
}
