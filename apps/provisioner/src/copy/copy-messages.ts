import type { SourceLocation } from '../model/source-system.js';
import type { TargetLocation } from '../model/workspace.js';
import type { SharedLimit } from './rate-limit.js';

/** A file to copy, as the walk of the delivery found it. */
export interface CopyOrder {
  readonly path: string;
  readonly size: number;
  readonly mtimeNs: bigint;
  /** The inode, the modification time and the change time, as one text. */
  readonly version: string;
  /** Algorithms to compute in addition to SHA-256. */
  readonly algorithms: readonly string[];
  /** Whether the file is flushed before it counts as copied. */
  readonly flush: boolean;
}

/** The message to a copy thread. The thread answers with one `CopyOutcome` for each order. */
export interface CopyBatch {
  readonly source: SourceLocation;
  readonly target: TargetLocation;
  readonly orders: readonly CopyOrder[];
  /** The counters of the import, indexed by `counterIndex`. */
  readonly counters: BigInt64Array<SharedArrayBuffer>;
  readonly limit: SharedLimit;
}

/** Indexes of the counters that an import shares with its threads. */
export const counterIndex = { aborted: 0, bytes: 1, resumed: 2 } as const;

/** The outcome of one file: hexadecimal digests by algorithm, always including `sha256`, or the failure. */
export type CopyOutcome =
  | { readonly digests: Readonly<Record<string, string>>; readonly failure?: undefined }
  | { readonly digests?: undefined; readonly failure: CopyFailure };

/** The reason why a file was not copied. The side is `changed` if the file differs from the one that the walk found. */
export interface CopyFailure {
  readonly side: 'source' | 'storage' | 'changed' | 'aborted';
  readonly errno: string | undefined;
  readonly message: string;
}
