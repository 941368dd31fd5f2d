import type { FailureCode, FileFailure } from './failure.js';

/** More of one kind nobody reads one by one; all of them have to fit into memory and into one record of the log. */
const namedOfACode = 10_000;

/** Files at fault: all are counted, and of each code so many are named as fit. */
export class FailureList {
  count = 0;
  private readonly kept: FileFailure[] = [];
  private readonly counts = new Map<FailureCode, number>();

  add(failure: FileFailure): void {
    const before = this.counts.get(failure.code) ?? 0;
    if (before < namedOfACode) this.kept.push(failure);
    this.counts.set(failure.code, before + 1);
    this.count += 1;
  }

  /** Those that are named, by path. */
  get named(): readonly FileFailure[] {
    return this.kept.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  }
}
