import type { Subject } from './identifier.js';
import type { Problem } from './problem.js';
import type { FolderState } from './source-sight.js';

/** A submission as listed, without reading any file. */
export interface ListedSubmission {
  /** The name of the folder. It may be invalid as a reference. */
  readonly reference: string;
  /** The sorted names of the folders in the submission. They may be invalid as ids. */
  readonly datasets: readonly string[];
}

/** The fields of `submission.json`; null for a missing field. */
export interface SubmissionDescription {
  readonly title: string | null;
  readonly submitter: string | null;
  readonly submitted_at: string | null;
  readonly description: string | null;
  readonly project: string | null;
}

/** A place in the source: the folder of a dataset, or the documents of a submission. */
export interface SourcePlace extends Subject {
  /** The submission that contains the place. Equal to `id` if the place is a submission. */
  readonly submission: string;
}

/** A file, folder or symbolic link as `walk` found it. */
export interface SourceEntry {
  /** The path relative to the place, with `/` between names. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** An opaque token that changes whenever the file is replaced or changed. */
  readonly version: string;
  /** The ETag of the object; null for a file in a folder. */
  readonly etag: string | null;
  /** The permission bits, which are recorded but never applied; 0 for an object. */
  readonly mode: number;
  /** The unresolved target of a symbolic link. */
  readonly target?: string;
  /** The number of hard links of a file and the file's inode; undefined for a file with one link and for an object. */
  readonly links?: { readonly inode: string; readonly count: number };
}

/** A file in the version that `walk` found. */
export type PinnedFile = Pick<SourceEntry, 'path' | 'size' | 'version'>;

/**
 * Returns a non-empty buffer for the next bytes. It is called again after each filled buffer and may return the same
 * one.
 */
export type NextBuffer = () => Promise<Buffer>;

/** An item of a walk: an entry, or a problem. The problem of a symbolic link within the place includes the link. */
export type WalkItem =
  | { readonly entry: SourceEntry; readonly problem?: undefined; readonly link?: undefined }
  | { readonly entry?: undefined; readonly problem: Problem; readonly link?: SourceEntry };

/** The location of a place that is a folder. Plain data, because it is sent to copy threads. */
export interface SourceLocation {
  readonly root: string;
  /** The names of the folders from the root to the place. Each is opened without following symbolic links. */
  readonly folders: readonly string[];
}

/** The location of the objects of a place, for copies within a store. */
export interface SourceObjects {
  /** The name of the store. Equal to the `name` of a `CopyingStore` in the same store. */
  readonly store: string;
  readonly bucket: string;
  /** The prefix of all keys of the place. A key is the prefix followed by the path of a file. */
  readonly prefix: string;
}

/**
 * The system to which submissions and their datasets are delivered. It is only read.
 *
 * Every method may be called at any time, repeatedly and concurrently. A failure of the system is thrown as
 * SourceFailure; `failureOf` states which failures may be retried. A problem of a delivery is never thrown: it is
 * yielded or listed.
 */
export abstract class SourceSystem {
  /**
   * Checks that the source can be read and has the identity that `SOURCE_IDENTITY` states.
   *
   * @throws SourceFailure if it cannot; the message states why
   */
  abstract probe(): Promise<void>;

  /**
   * Returns the present states of the root of the source and of the folders below it to a place, without caches of this
   * process. The result ends before the first folder that is missing. It is empty if the source is not a folder.
   */
  abstract foldersTo(place: SourcePlace): Promise<readonly FolderState[]>;

  /**
   * Lists every submission and its datasets, sorted by name, without opening a file. Returns the same array as the
   * previous call if the source can detect that nothing has changed.
   */
  abstract list(): Promise<readonly ListedSubmission[]>;

  /** Whether the place or its submission contains the marker file of a complete delivery. */
  abstract isMarked(place: SourcePlace): Promise<boolean>;

  /**
   * Returns a text that changes when an entry is added to or removed from the top of the place or of its submission, as
   * far as the source can detect this without a walk.
   */
  abstract topOf(place: SourcePlace): Promise<string>;

  /**
   * Yields the entries of a place in batches, each folder before its contents, without the marker file. The order is
   * the same in every walk of an unchanged place. Yields nothing if the place does not exist.
   */
  abstract walk(place: SourcePlace): AsyncIterable<readonly WalkItem[]>;

  /**
   * Yields the bytes of a file, in buffers from `next`.
   *
   * @throws SourceChangedError if the file is missing or differs from the version that `walk` found. The error may come
   *   after all bytes were yielded.
   */
  abstract open(place: SourcePlace, file: PinnedFile, next: NextBuffer): AsyncIterable<Buffer>;

  /** Returns the folder from which copy threads can read a place. @returns null if only `open` can read the files */
  abstract locate(place: SourcePlace): SourceLocation | null;

  /** Returns the location of a place in a store. @returns null if the source is not a store */
  abstract objectsOf(place: SourcePlace): SourceObjects | null;
}

/** Returns the names of the folders from the root of the source to a place. */
export function foldersOf({ kind, submission, id }: SourcePlace): readonly string[] {
  return kind === 'submission' ? [submission] : [submission, id];
}

/** A file in the source that differs from the version that `walk` found. Must not be retried without a new walk. */
export class SourceChangedError extends Error {
  constructor(readonly path: string) {
    super(`${path} changed during the copy.`);
    this.name = 'SourceChangedError';
  }
}

/** A failure to read the source system, such as a missing root folder, a disk error or a missing permission. */
export class SourceFailure extends Error {
  constructor(
    message: string,
    /** The system error code, e.g. `EIO`. For a store, the closest equivalent; undefined if there is none. */
    readonly errno: string | undefined,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'SourceFailure';
  }
}
