import type { Algorithm } from './algorithms.js';

/** The declaration of a file. Digests are kept with one character for each byte. */
export interface Entry extends Partial<Record<Algorithm, string>> {
  size: number | undefined;
  exists: boolean;
  /** See `Target`. */
  looseNames: number;
  /** A bit for each manifest that lists the file, and one for `fetch.txt`. */
  listed: number;
  /** The number of a stored entry. */
  id?: number;
}

/** Declared files by their keys. */
export interface DeclaredEntries extends Iterable<readonly [string, Entry]> {
  readonly size: number;
  get(key: string): Entry | undefined;
  /** Stores a new or changed entry. Changes of an entry take effect only by this method. */
  set(key: string, entry: Entry): unknown;
  /** Stores that the file of an unchanged entry exists. */
  markExisting(key: string, entry: Entry): void;
  delete(key: string): unknown;
  /** Frees the entries. */
  close(): void;
}

/** Declared files in memory. */
export class EntriesInMemory extends Map<string, Entry> implements DeclaredEntries {
  markExisting(_: string, entry: Entry): void {
    entry.exists = true;
  }

  close(): void {
    this.clear();
  }
}
