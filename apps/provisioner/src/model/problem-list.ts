import type { Problem } from './problem.js';
import { escapeUnsafe } from './unsafe-names.js';

/** More of one kind nobody reads one by one; all of them have to fit into memory, a record of the log and an answer. */
const namedOfACode = 10_000;

/** The most characters that named problems may have together: a path may be long. */
const namedCharacters = 4 * 1024 * 1024;

/** What is wrong with files, folders and descriptors: all is counted, and of each code so much is named as fits. */
export class ProblemList<
  Named extends { readonly code: string; readonly path?: string; readonly message: string } = Problem,
> {
  count = 0;
  private readonly kept: Named[] = [];
  private characters = 0;
  private readonly namedCounts = new Map<Named['code'], number>();
  private readonly counts = new Map<Named['code'], number>();

  add(problem: Named): void {
    this.name(problem);
    this.countOnly(problem.code, 1);
  }

  /** Counts problems of a code without naming them. */
  countOnly(code: Named['code'], count: number): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + count);
    this.count += count;
  }

  /** Adds a problem that is counted already to those that are named, if it fits. */
  name(problem: Named): void {
    const named = this.namedCounts.get(problem.code) ?? 0;
    const characters = this.characters + problem.message.length + (problem.path?.length ?? 0);
    if (named >= namedOfACode || (characters > namedCharacters && named > 0)) return;
    const message = escapeUnsafe(problem.message);
    this.kept.push(message === problem.message ? problem : { ...problem, message });
    this.characters = characters;
    this.namedCounts.set(problem.code, named + 1);
  }

  /** How many there are of each code, in the order of finding. */
  get counted(): readonly (readonly [Named['code'], number])[] {
    return [...this.counts];
  }

  /** Each once, in the order of finding. */
  get codes(): readonly Named['code'][] {
    return [...this.counts.keys()];
  }

  /** Those that are named, by path; what concerns no path comes first. */
  get named(): readonly Named[] {
    return this.kept.sort(byPath);
  }
}

function byPath(
  { path: one = '' }: { readonly path?: string },
  { path: other = '' }: { readonly path?: string },
): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
