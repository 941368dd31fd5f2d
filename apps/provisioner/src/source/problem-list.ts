import type { Problem } from './problem.js';

/** More of one kind nobody reads one by one; all of them have to fit into memory, a record of the log and an answer. */
const namedOfACode = 10_000;

/** What is wrong with files, folders and descriptors: all is counted, and of each code so much is named as fits. */
export class ProblemList<Named extends { readonly code: string; readonly path?: string } = Problem> {
  count = 0;
  private readonly kept: Named[] = [];
  private readonly counts = new Map<Named['code'], number>();

  add(problem: Named): void {
    const before = this.counts.get(problem.code) ?? 0;
    if (before < namedOfACode) this.kept.push(problem);
    this.counts.set(problem.code, before + 1);
    this.count += 1;
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
