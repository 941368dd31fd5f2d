import type { SharedLimit } from '../copy/rate-limit.js';
import type { FileRecord } from '../storage/commit.js';
import type { StoredEntry } from '../storage/storage.js';

/** What was imported, as far as whoever looks at it now needs to know. */
export type CheckOrder = Pick<FileRecord, 'path' | 'type' | 'size'>;

/** What stands where something was imported. */
export interface FoundEntry {
  /** Undefined where it cannot even be looked at. */
  readonly type?: StoredEntry['type'];
  readonly size?: number;
  /** Permission bits; undefined where the storage has none. */
  readonly mode?: number;
  /** Where a symbolic link leads; only for those. */
  readonly target?: string;
  /** Hexadecimal; only for files that have the size with which they were imported. */
  readonly sha256?: string;
  /** The operating system's word for why it cannot be read. */
  readonly errno?: string;
}

/** Reads what was imported again. */
export interface FileChecker {
  /** How many batches it makes sense to have under way. */
  readonly capacity: number;
  /**
   * What stands now where a batch was imported, in the order of the batch; null where nothing does. After an abort by
   * the counters the answer means nothing.
   *
   * @param counters of the import, by the places named in `counterPlaces`
   * @throws StorageFailure when the storage as a whole does not answer
   */
  check(
    orders: readonly CheckOrder[],
    counters: BigInt64Array<SharedArrayBuffer>,
  ): Promise<readonly (FoundEntry | null)[]>;
}

/** What crosses to a thread that checks. */
export interface CheckBatch {
  readonly id: number;
  /** The folder that was imported. */
  readonly folder: string;
  readonly orders: readonly CheckOrder[];
  readonly counters: BigInt64Array<SharedArrayBuffer>;
  readonly limit: SharedLimit;
}
