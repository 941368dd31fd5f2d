import type { SharedLimit } from '../copy/rate-limit.js';
import type { Difference, ExpectedEntry } from './differences.js';

/** A checker of the imported files of one subject. */
export interface FileChecker {
  /** The number of batches to run concurrently. */
  readonly capacity: number;
  /**
   * Compares a batch with the stored entries. If the counters abort the check, the result is meaningless.
   *
   * @param counters of the verification, indexed by `counterIndex`
   * @returns the differences of each entry, in the order of the batch
   * @throws StorageFailure if the storage as a whole does not respond
   */
  check(
    entries: readonly ExpectedEntry[],
    counters: BigInt64Array<SharedArrayBuffer>,
  ): Promise<readonly (readonly Difference[])[]>;
}

/** The message to a check thread. The thread answers with the differences of each entry. */
export interface CheckBatch {
  /** The folder of the imported subject. */
  readonly folder: string;
  readonly entries: readonly ExpectedEntry[];
  readonly counters: BigInt64Array<SharedArrayBuffer>;
  readonly limit: SharedLimit;
}
