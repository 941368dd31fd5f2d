import type { Columns } from '../concurrency/columns.js';
import type { SharedLimit } from '../copy/rate-limit.js';
import type { Difference, ExpectedEntry } from './differences.js';

/** Reads what was imported again. */
export interface FileChecker {
  /** How many batches it makes sense to have under way. */
  readonly capacity: number;
  /**
   * Compares a batch with what stands where it was imported. After an abort by the counters the answer means nothing.
   *
   * @param counters of the import, by the places named in `counterPlaces`
   * @returns the differences of each entry, in the order of the batch
   * @throws StorageFailure when the storage as a whole does not answer
   */
  check(
    entries: readonly ExpectedEntry[],
    counters: BigInt64Array<SharedArrayBuffer>,
  ): Promise<readonly (readonly Difference[])[]>;
}

/** What crosses to a thread that checks. */
export interface CheckBatch {
  readonly id: number;
  /** The folder that was imported. */
  readonly folder: string;
  readonly entries: Columns<ExpectedEntry>;
  readonly counters: BigInt64Array<SharedArrayBuffer>;
  readonly limit: SharedLimit;
}
