import type { Subject } from './identifier.js';
import type { Problem } from './problem.js';

/** A submission by the names in the source: one listing of the root and one of each submission. */
export interface ListedSubmission {
  /** The folder's name, whether it can be a reference or not. */
  readonly reference: string;
  /** The names of its folders, sorted, whether they can be ids or not. */
  readonly datasets: readonly string[];
}

/** What `submission.json` says; null where it says nothing. */
export interface SubmissionDescription {
  readonly title: string | null;
  readonly submitter: string | null;
  readonly submitted_at: string | null;
  readonly description: string | null;
  readonly project: string | null;
}

/** A place in the source: a dataset's folder, or the documents of a submission. */
export interface SourcePlace extends Subject {
  /** The submission it belongs to; the same as `id` for a submission. */
  readonly submission: string;
}

/** A file or folder as the walk saw it. */
export interface SourceEntry {
  /** Relative to the place, with `/` between names. */
  readonly path: string;
  readonly type: 'file' | 'directory';
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
  /** Permission bits; recorded, never applied. */
  readonly mode: number;
}

/** What a walk yields: an entry, or why one cannot be taken. */
export type WalkItem =
  | { readonly entry: SourceEntry; readonly problem?: undefined }
  | { readonly entry?: undefined; readonly problem: Problem };

/** Where a copy thread finds a place; plain data, for it crosses to another thread. */
export interface SourceLocation {
  readonly root: string;
  /** Folders from the root to the place, each opened without following a link. */
  readonly folders: readonly string[];
}

/**
 * Where submissions and their datasets are delivered. Only ever read.
 *
 * Every method may be called at any time and as often as one likes. A failure of the system itself is thrown as a
 * SourceFailure; what is wrong with a delivery is never thrown but yielded or listed as a problem.
 */
export abstract class SourceSystem {
  /** Resolves when the source can be read. @throws SourceFailure saying why not */
  abstract probe(): Promise<void>;

  /** Every submission and its datasets by name, sorted; opens no file. */
  abstract list(): Promise<readonly ListedSubmission[]>;

  /** What the submission says of itself, or null when it says nothing that can be read. */
  abstract describe(reference: string): Promise<SubmissionDescription | null>;

  /** Whether a marker says that the place, or the whole submission it belongs to, is complete. */
  abstract isMarked(place: SourcePlace): Promise<boolean>;

  /**
   * Everything in a place, sorted by the bytes of the names, a folder before what is in it; without the marker. Twice
   * the same when nothing changed. Yields nothing for a place that is not there.
   */
  abstract walk(place: SourcePlace): AsyncIterable<WalkItem>;

  /** The bytes of one small file of a place; null when it is not there or larger than `limit` bytes. */
  abstract read(place: SourcePlace, path: string, limit: number): Promise<Buffer | null>;

  /** Where copy threads open the files of a place. */
  abstract locate(place: SourcePlace): SourceLocation;
}

/** The source system cannot be read: its root is missing, a disk fails, a permission lacks. */
export class SourceFailure extends Error {
  constructor(
    message: string,
    /** The operating system's word, e.g. `EIO`; undefined when there is none. */
    readonly errno: string | undefined,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'SourceFailure';
  }
}
