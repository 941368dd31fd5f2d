import type { Columns } from '../concurrency/columns.js';
import type { SourceLocation } from '../model/source-system.js';
import type { TargetLocation } from '../model/storage.js';
import type { SharedLimit } from './rate-limit.js';

/** A file to be copied, as the walk saw it. */
export interface CopyOrder {
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  /** As the walk gave it: inode, modification and change time. */
  readonly version: string;
  /** Algorithms to compute beside SHA-256. */
  readonly algorithms: readonly string[];
  /** Whether the file is flushed before it counts as copied. */
  readonly flush: boolean;
}

/** What crosses to a copy thread. */
export interface CopyBatch {
  readonly id: number;
  readonly source: SourceLocation;
  readonly target: TargetLocation;
  readonly orders: Columns<CopyOrder>;
  /** The counters of the import, by the places named in `counterPlaces`. */
  readonly counters: BigInt64Array<SharedArrayBuffer>;
  readonly limit: SharedLimit;
}

/** Places in the counters that copying threads and the import share. */
export const counterIndex = { aborted: 0, bytes: 1, resumed: 2 } as const;

/** What became of one file: hexadecimal digests by algorithm, `sha256` always among them, or why there are none. */
export type CopyOutcome =
  | { readonly digests: Readonly<Record<string, string>>; readonly failure?: undefined }
  | { readonly digests?: undefined; readonly failure: CopyFailure };

/** Why a file could not be copied; `changed` when it is not what the walk saw. */
export interface CopyFailure {
  readonly side: 'source' | 'storage' | 'changed' | 'aborted';
  readonly errno: string | undefined;
  readonly message: string;
}

/** An outcome as it crosses back: a text is the SHA-256 of a file of which nothing else was asked. */
export type CompactOutcome = string | CopyOutcome;
