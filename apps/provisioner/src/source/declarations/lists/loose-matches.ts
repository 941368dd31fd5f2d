import type { MissingFile } from '../declared-files.js';

/** Declared files that share the same last names and are searched. Comparing more of them would take quadratic time. */
const maxPerSuffix = 1_000;

/** Declared files that are searched in all: some 100 MB of memory. */
const maxSearches = 250_000;

/** A declared file, and the existing files that share most of its last names. */
interface Search {
  readonly path: string;
  readonly names: readonly string[];
  /** The number of shared names of the best matches. */
  shared: number;
  found: string;
  matches: number;
}

/** The result of the search for a declared file. */
export interface LooseMatch {
  readonly declared: string;
  readonly found: string;
  /** The number of files that match equally well. */
  readonly matches: number;
}

/** Finds files that lists declare by their name or by a path from elsewhere. */
export class LooseMatches {
  private readonly bySuffix = new Map<string, Search[]>();
  /** The numbers of names of the suffixes. */
  private readonly lengths = new Set<number>();

  constructor(missing: Iterable<MissingFile>) {
    let count = 0;
    for (const { path, looseNames } of missing) {
      if (looseNames === 0) continue;
      count += 1;
      if (count > maxSearches) break;
      const names = path.split('/').reverse();
      const suffix = suffixOf(names, looseNames);
      const search = { path, names, shared: 0, found: '', matches: 0 };
      this.lengths.add(looseNames);
      const others = this.bySuffix.get(suffix);
      if (!others) this.bySuffix.set(suffix, [search]);
      else if (others.length < maxPerSuffix) others.push(search);
    }
  }

  get isEmpty(): boolean {
    return this.bySuffix.size === 0;
  }

  /** Compares an existing file with the declared files. */
  add(path: string): void {
    const names = path.normalize('NFC').split('/').reverse();
    for (const length of this.lengths)
      for (const search of this.bySuffix.get(suffixOf(names, length)) ?? []) {
        const shared = sharedNames(search.names, names);
        if (shared < search.shared) continue;
        search.matches = shared === search.shared ? search.matches + 1 : 1;
        search.shared = shared;
        search.found = path;
      }
  }

  /** Returns the declared files that match an existing file. */
  *found(): Generator<LooseMatch> {
    for (const searches of this.bySuffix.values())
      for (const { path: declared, found, matches } of searches) if (matches > 0) yield { declared, found, matches };
  }
}

/** @param names in reverse order */
function suffixOf(names: readonly string[], length: number): string {
  return names.slice(0, length).join('/');
}

function sharedNames(one: readonly string[], other: readonly string[]): number {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared;
}
