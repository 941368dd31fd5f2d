import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import type { FailureCode, ProblemCounts } from './failure-code.js';
import type { Problem } from './problem.js';
import type { FileFailure } from './failure-code.js';
import type { SourceEntry, SourcePlace } from './source-system.js';
import { Workspace } from './workspace.js';

/** The number of files and bytes of a shard, or of several. */
export interface ShardTotals {
  readonly files: number;
  readonly bytes: number;
}

/** The files of a batch, and the declared checksums of each file in the same order, by algorithm. */
export interface ShardBatch {
  readonly files: readonly SourceEntry[];
  readonly declared: readonly Readonly<Partial<Record<string, string>>>[];
}

/** The shards of an attempt. It is stored when every shard is stored. */
export interface ShardPlan {
  readonly place: SourcePlace;
  readonly manifests: readonly ManifestAlgorithm[];
  readonly shards: readonly ShardTotals[];
}

/** The files of a shard that are recorded as finished, and paths of files that are being copied. */
export interface ShardProgress extends ShardTotals {
  readonly current: readonly string[];
}

/** The failure of a shard, as it is stored. */
export interface ShardFailure {
  readonly code: FailureCode;
  readonly message: string;
  readonly counts: ProblemCounts;
  readonly problems: readonly (Problem | FileFailure)[];
}

/** The states of all shards of an attempt at one moment. A shard is identified by its number, from 0. */
export interface ShardStates {
  readonly failed: readonly number[];
  /** The shards that neither are finished nor have failed. */
  readonly open: readonly number[];
  /** The finished files of all shards. */
  readonly progress: ShardProgress;
}

/**
 * The shards of one attempt, as the owner of the attempt sees them. Their state is in the storage.
 *
 * Every method throws StorageFailure if the storage fails, and SupersededError if another attempt has taken over.
 */
export interface Shards {
  /** Returns the stored plan, from which every attempt with the same source continues. @returns null if there is none */
  plan(): Promise<ShardPlan | null>;

  /** Whether the attempt has recorded no batch, so that it can be cut. */
  readonly isCuttable: boolean;

  /**
   * Stores the shards of a place, and then their plan. A batch is never divided.
   *
   * @param batches every batch with files, in the order of the walk
   * @param most the limits of a shard with several batches
   */
  cut(place: SourcePlace, batches: AsyncIterable<ShardBatch>, most: ShardTotals): Promise<ShardPlan>;

  /** Permits workers to claim the shards, including those that have failed. */
  open(): Promise<void>;

  look(): Promise<ShardStates>;

  failureOf(shard: number): Promise<ShardFailure>;

  /** Supersedes the workers of all shards, until `open` is called. */
  close(): Promise<void>;
}

/**
 * A shard that this process has claimed: the private workspace for its files.
 *
 * The errors are those of `Attempt`. If another process has claimed the shard, or another attempt has taken over, the
 * methods that write throw SupersededError.
 */
export abstract class Shard extends Workspace {
  abstract readonly plan: ShardPlan;

  /** Whether every file was copied and flushed by an earlier claim. Then `complete` must be called next. */
  abstract readonly isCopied: boolean;

  /** Yields the batches of the shard. */
  abstract batches(): AsyncIterable<ShardBatch>;

  /** Lists nothing, because the owner of the attempt lists all entries in the order of the walk. */
  abstract override list(): Promise<void>;

  /** Reports the progress. A power failure may lose the report. */
  abstract report(progress: ShardProgress): Promise<void>;

  /** Flushes all files, adds them to the attempt, and records the shard as finished. */
  abstract complete(): Promise<void>;

  /** Records the shard as failed. */
  abstract fail(failure: ShardFailure): Promise<void>;
}
