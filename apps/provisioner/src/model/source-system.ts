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

/** A file, folder or symbolic link as the walk saw it. */
export interface SourceEntry {
  /** Relative to the place, with `/` between names. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink';
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** Another text as soon as the file is another or was changed; to be compared only. */
  readonly version: string;
  /** The store's tag of the content, where there is one; null in a folder. */
  readonly etag: string | null;
  /** Permission bits; recorded, never applied. 0 where there are none. */
  readonly mode: number;
  /** Where a symbolic link leads, as it says itself. */
  readonly target?: string;
  /** A file's number of hard links and the file that they share; undefined if there is one link, and in a store. */
  readonly links?: { readonly inode: string; readonly count: number };
}

/** A file to be read as the walk saw it, or not at all. */
export type PinnedFile = Pick<SourceEntry, 'path' | 'size' | 'version'>;

/** Lends a buffer for the next bytes, asked for anew after each that was handed on. It may be the same; it is never empty. */
export type NextBuffer = () => Promise<Buffer>;

/** What a walk yields: an entry, or why one cannot be taken; a link that stays inside can be, by who wants links. */
export type WalkItem =
  | { readonly entry: SourceEntry; readonly problem?: undefined; readonly link?: undefined }
  | { readonly entry?: undefined; readonly problem: Problem; readonly link?: SourceEntry };

/** Where a copy thread finds a place that is a folder; plain data, for it crosses to another thread. */
export interface SourceLocation {
  readonly root: string;
  /** Folders from the root to the place, each opened without following a link. */
  readonly folders: readonly string[];
}

/** Where the objects of a place are, for a store that copies them itself. */
export interface SourceObjects {
  /** Which store; a storage in the same one says the same. */
  readonly store: string;
  readonly bucket: string;
  /** What all keys of the place begin with; the path of a file follows. */
  readonly prefix: string;
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

  /** Every submission and its datasets by name, sorted; opens no file. The very same array when nothing is known to differ. */
  abstract list(): Promise<readonly ListedSubmission[]>;

  /** Whether a marker says that the place, or the whole submission it belongs to, is complete. */
  abstract isMarked(place: SourcePlace): Promise<boolean>;

  /**
   * Everything in a place, some hundred at a time, a folder before what is in it; without the marker. Twice the same, in
   * the same order, when nothing changed. Yields nothing for a place that is not there.
   */
  abstract walk(place: SourcePlace): AsyncIterable<readonly WalkItem[]>;

  /**
   * The bytes of one file, in the buffers that are lent for them.
   *
   * @throws SourceChangedError when it is not, from the first byte to the last, as the walk saw it
   */
  abstract open(place: SourcePlace, file: PinnedFile, next: NextBuffer): AsyncIterable<Buffer>;

  /** Where copy threads open the files of a place themselves; null where only `open` does. */
  abstract locate(place: SourcePlace): SourceLocation | null;

  /** Where a store finds the files of a place; null where they are no objects. */
  abstract objectsOf(place: SourcePlace): SourceObjects | null;
}

/** Where a place of the source is, as folders below the root. */
export function foldersOf({ kind, submission, id }: SourcePlace): readonly string[] {
  return kind === 'submission' ? [submission] : [submission, id];
}

/** A file of the source is not what the walk saw. */
export class SourceChangedError extends Error {
  constructor(readonly path: string) {
    super(`${path} changed while it was copied.`);
    this.name = 'SourceChangedError';
  }
}

/** The source system cannot be read: its root is missing, a disk fails, a permission lacks. */
export class SourceFailure extends Error {
  constructor(
    message: string,
    /** The operating system's word, e.g. `EIO`, or the nearest to what a store answers; undefined when there is none. */
    readonly errno: string | undefined,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'SourceFailure';
  }
}
