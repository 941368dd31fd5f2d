import type { CopyOrder, CopyOutcome } from './copy-messages.js';

/** Brings files from one place of the source into one attempt. */
export interface Copier {
  /** How many batches it makes sense to have under way. */
  readonly capacity: number;

  /**
   * Copies the files of a batch; what fails is in the outcomes, which come in the order of the batch.
   *
   * @param counters of the import, by the places named in `counterPlaces`
   */
  copy(orders: readonly CopyOrder[], counters: BigInt64Array<SharedArrayBuffer>): Promise<readonly CopyOutcome[]>;
}
