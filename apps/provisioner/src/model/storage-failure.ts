import type { Subject } from './identifier.js';
import type { ImportedCaseVariant } from './storage.js';

/** The storage does not do what it was asked to: a disk fails, is full, or refuses. */
export class StorageFailure extends Error {
  constructor(
    message: string,
    /** The operating system's word, e.g. `ENOSPC`, or the nearest to what a store answers; undefined when there is none. */
    readonly errno: string | undefined,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'StorageFailure';
  }
}

/** Something that no import of ours has put there stands where a dataset or collection would go. */
export class ForeignContentError extends Error {
  constructor(readonly place: string) {
    super(`${place} is taken by something that no import has put there; move it aside.`);
    this.name = 'ForeignContentError';
  }
}

/** What is imported under another spelling of an id keeps this one out. */
export class CaseVariantImportedError extends Error {
  constructor(
    readonly subject: Subject,
    readonly twin: ImportedCaseVariant,
  ) {
    super(`${subject.id} differs by case only from ${twin.commit.id}, which is imported.`);
    this.name = 'TwinStandsError';
  }
}

/** What is to be withdrawn is not imported, or another import has made what stands there. */
export class NothingToWithdrawError extends Error {
  constructor(id: string) {
    super(`${id} is not imported any more as it was when its withdrawal was asked for.`);
    this.name = 'NothingToWithdrawError';
  }
}

/** Another attempt has taken over this one's staging; this one must stop. */
export class SupersededError extends Error {
  constructor() {
    super('Another attempt has taken over.');
    this.name = 'SupersededError';
  }
}

/** A withdrawal holds what an attempt would write. Whether it is still under way is known to the request log only. */
export class WithdrawalInProgressError extends SupersededError {
  /** @param withdrawal the id of its request */
  constructor(readonly withdrawal: string) {
    super();
    this.name = 'HeldByWithdrawalError';
  }
}
