import type { SourceLocation } from '../source/source-system.js';
import type { TargetLocation } from '../storage/storage.js';

/** A file to be copied, as the walk saw it. */
export interface CopyOrder {
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  /** As the walk gave it: inode, modification and change time. */
  readonly version: string;
  /** Algorithms to compute beside SHA-256. */
  readonly algorithms: readonly string[];
}

/** What crosses to a copy thread. */
export interface CopyBatch {
  readonly id: number;
  readonly source: SourceLocation;
  readonly target: TargetLocation;
  readonly orders: readonly CopyOrder[];
  /** The counters of the import, by the places named in `counterPlaces`. */
  readonly counters: BigInt64Array<SharedArrayBuffer>;
}

/** Places in the counters that copying threads and the import share. */
export const counterPlaces = { aborted: 0, bytes: 1 } as const;

/** What became of one file. */
export type CopyOutcome =
  | { readonly path: string; readonly digests: Readonly<Record<string, string>>; readonly failure?: undefined }
  | { readonly path: string; readonly digests?: undefined; readonly failure: CopyFailure };

/** Why a file could not be copied; `changed` when it is not what the walk saw. */
export interface CopyFailure {
  readonly side: 'source' | 'storage' | 'changed' | 'aborted';
  readonly errno: string | undefined;
  readonly message: string;
}

/** What comes back. */
export interface CopyReply {
  readonly id: number;
  readonly outcomes: readonly CopyOutcome[];
}
