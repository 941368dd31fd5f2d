import type { CopyOrder, CopyOutcome } from './copy-messages.js';

/** A copier of the files of one delivery into one staging area. */
export interface Copier {
  /** The number of batches to run concurrently. */
  readonly capacity: number;

  /**
   * Copies the files of a batch. A file that fails does not reject the call: its outcome states the failure.
   *
   * @param counters of the import, indexed by `counterIndex`
   * @returns one outcome for each file, in the order of the batch
   */
  copy(orders: readonly CopyOrder[], counters: BigInt64Array<SharedArrayBuffer>): Promise<readonly CopyOutcome[]>;
}
