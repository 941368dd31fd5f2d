import type { Problem } from './problem.js';
import { escapeUnsafe } from './unsafe-names.js';

/** Maximum number of listed problems of one code. The list must fit into memory, a log record and a response. */
const maxListedPerCode = 10_000;

/** Maximum total length of the listed problems, in characters. A path may be long. */
const maxCharacters = 4 * 1024 * 1024;

/**
 * A bounded list of problems with files, folders and descriptors. All problems are counted; the first of each code are
 * listed.
 */
export class ProblemList<
  Item extends { readonly code: string; readonly path?: string; readonly message: string } = Problem,
> {
  count = 0;
  private readonly listed: Item[] = [];
  private characters = 0;
  private readonly listedCounts = new Map<Item['code'], number>();
  private readonly counts = new Map<Item['code'], number>();

  /** Counts and lists a problem. */
  add(problem: Item): void {
    this.name(problem);
    this.countOnly(problem.code, 1);
  }

  /** Counts the problems of another list, and lists its listed ones. */
  addAll({ named, counted }: Pick<ProblemList<Item>, 'named' | 'counted'>): void {
    for (const problem of named) this.name(problem);
    for (const [code, count] of counted) this.countOnly(code, count);
  }

  /** Counts problems of a code without listing them. */
  countOnly(code: Item['code'], count: number): void {
    this.counts.set(code, (this.counts.get(code) ?? 0) + count);
    this.count += count;
  }

  /** Lists a problem that is already counted. Ignores the problem if the list is full. */
  name(problem: Item): void {
    const listedCount = this.listedCounts.get(problem.code) ?? 0;
    const characters = this.characters + problem.message.length + (problem.path?.length ?? 0);
    if (listedCount >= maxListedPerCode || (characters > maxCharacters && listedCount > 0)) return;
    const message = escapeUnsafe(problem.message);
    this.listed.push(message === problem.message ? problem : { ...problem, message });
    this.characters = characters;
    this.listedCounts.set(problem.code, listedCount + 1);
  }

  /** The number of problems of each code, in the order of their first occurrence. */
  get counted(): readonly (readonly [Item['code'], number])[] {
    return [...this.counts];
  }

  /** The distinct codes, in the order of their first occurrence. */
  get codes(): readonly Item['code'][] {
    return [...this.counts.keys()];
  }

  /** The listed problems, sorted by path. Problems without a path come first. */
  get named(): readonly Item[] {
    return this.listed.sort(byPath);
  }
}

function byPath(
  { path: one = '' }: { readonly path?: string },
  { path: other = '' }: { readonly path?: string },
): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
