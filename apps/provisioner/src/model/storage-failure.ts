import type { Subject } from './identifier.js';
import type { ImportedCaseVariant } from './storage.js';

/** A failure of the storage, such as a disk error, a full disk or a missing permission. */
export class StorageFailure extends Error {
  constructor(
    message: string,
    /** The system error code, e.g. `ENOSPC`. For a store, the closest equivalent; undefined if there is none. */
    readonly errno: string | undefined,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'StorageFailure';
  }
}

/** Data at the path of a dataset or collection that no import has written. Retrying cannot succeed. */
export class ForeignContentError extends Error {
  constructor(readonly path: string) {
    super(`${path} contains data that no import has written. Move the data to another place.`);
    this.name = 'ForeignContentError';
  }
}

/** An imported subject whose id differs only by case prevents the import of a subject. */
export class CaseVariantImportedError extends Error {
  constructor(
    readonly subject: Subject,
    readonly variant: ImportedCaseVariant,
  ) {
    super(`${subject.id} differs only by case from ${variant.commit.id}, which is imported.`);
    this.name = 'CaseVariantImportedError';
  }
}

/** The subject of a withdrawal is not imported, or was imported again by another import. Retrying cannot succeed. */
export class NothingToWithdrawError extends Error {
  constructor(id: string) {
    super(`${id} has changed since the withdrawal was requested: the import to withdraw is no longer stored.`);
    this.name = 'NothingToWithdrawError';
  }
}

/** Another attempt has taken over the workspace of this attempt. This attempt must stop without recording an ending. */
export class SupersededError extends Error {
  constructor() {
    super('Another attempt has taken over the import.');
    this.name = 'SupersededError';
  }
}

/** A withdrawal blocks an attempt. Only the request log shows whether that withdrawal is still open. */
export class WithdrawalInProgressError extends SupersededError {
  /** @param withdrawal the import id of the withdrawal */
  constructor(readonly withdrawal: string) {
    super();
    this.name = 'WithdrawalInProgressError';
  }
}
