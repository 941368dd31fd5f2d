import { deserialize, serialize } from 'node:v8';
import type { SourceEntry } from '../model/source-system.js';

/** Bytes of memory for the entries of one walk: some 150,000 entries. */
const maxBytes = 32 * 1024 * 1024;

/**
 * The entries of a walk, which can be read again without a request to the source. If they exceed the memory for them,
 * they are walked again instead.
 */
export class WalkedEntries {
  /** Serialised runs of entries; null if the entries are not kept. */
  private runs: Buffer[] | null = [];
  private bytes = 0;

  /** @param walkAgain returns the same entries from the source */
  constructor(private readonly walkAgain: () => AsyncIterable<readonly SourceEntry[]>) {}

  add(entries: readonly SourceEntry[]): void {
    if (!this.runs || entries.length === 0) return;
    const run = serialize(entries);
    this.bytes += run.length;
    if (this.bytes > maxBytes) this.release();
    else this.runs.push(run);
  }

  /** Returns all entries, some hundred at a time. */
  async *read(): AsyncGenerator<readonly SourceEntry[]> {
    if (!this.runs) yield* this.walkAgain();
    else for (const run of this.runs) yield deserialize(run) as readonly SourceEntry[];
  }

  /** Frees the memory of the entries. Later reads walk the source again. */
  release(): void {
    this.runs = null;
  }
}
