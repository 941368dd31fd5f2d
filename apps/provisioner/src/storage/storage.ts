import type { Readable } from 'node:stream';
import type { Subject, SubjectKind } from '../source/identifier.js';
import type { Problem } from '../source/problem.js';
import type { SourceEntry } from '../source/source-system.js';
import type { Commit, CommitDraft, FileRecord } from './commit.js';

/** What room is left. */
export interface FreeSpace {
  readonly bytes: number;
  /** How many more files can be made; infinite where that is not limited. */
  readonly files: number;
}

/** The folder where copy threads put the files of an attempt; plain data, for it crosses to another thread. */
export interface TargetLocation {
  /** The folder that will become the dataset. */
  readonly folder: string;
}

/** A file to be written, as the source has it. */
export type StoredFile = Pick<SourceEntry, 'path' | 'size' | 'mtimeNs'>;

/** A file that an attempt has copied and noted; a later attempt need not copy it again. */
export interface FinishedFile {
  readonly path: string;
  readonly size: number;
  /** The source's file, as the walk saw it when it was copied. */
  readonly version: string;
  /** Hexadecimal digests by algorithm, `sha256` always among them. */
  readonly digests: Readonly<Record<string, string>>;
}

/**
 * The data storage system. Imported is what has a commit record here, and nothing else says so.
 *
 * Failures of the storage are thrown as StorageFailure with the operating system's word, which decides whether trying
 * again makes sense. Every method may be called again after any failure.
 */
export abstract class Storage {
  /** Tries, with real writes, what the storage must guarantee. @throws StorageFailure in one sentence */
  abstract probe(): Promise<void>;

  /** Resolves when the storage answers. @throws StorageFailure */
  abstract ping(): Promise<void>;

  /** Why a file of that path cannot be kept in a subject, if it cannot: its name is too long here. */
  abstract refusalOf(subject: Subject, path: string): Problem | undefined;

  /** Every commit record of a kind by id. Served from memory while the storage's listing is unchanged. */
  abstract commits(kind: SubjectKind): Promise<ReadonlyMap<string, Commit>>;

  /** The commit record of one subject as it is now, or null. Never from memory. */
  abstract findCommit(subject: Subject): Promise<Commit | null>;

  /** Where a subject's files are or will be, as the interface shows it: `data/raw/DS-001/`. */
  abstract pathOf(subject: Subject): string;

  /** The stored list of an imported subject's files: lines of FileRecord in JSON, or lines for `sha256sum -c`. */
  abstract openList(subject: Subject, form: 'ndjson' | 'sha256sum'): Readable;

  /** The paths of all files of an imported subject as they are now, our records left out. */
  abstract filesOf(subject: Subject): Promise<readonly string[]>;

  /** The bytes of one file of an imported subject. */
  abstract openFile(subject: Subject, path: string): Readable;

  /** The room left for data; infinite where nobody can tell. */
  abstract freeSpace(): Promise<FreeSpace>;

  /**
   * A workspace of this attempt's own. It takes over what an earlier attempt at the same subject has left, so that
   * the earlier one, should it still run, can neither write nor publish any more.
   *
   * @param token unique to the attempt
   * @param fingerprint the source's; what was copied from a source with another one is thrown away
   */
  abstract openAttempt(subject: Subject, token: string, fingerprint: string): Promise<Attempt>;

  /** Removes what attempts at a subject have left. Harmless when nothing is left. */
  abstract discard(subject: Subject): Promise<void>;
}

/** One attempt's private workspace, invisible until published. */
export abstract class Attempt {
  /** Where copy threads write themselves; null where only `write` does. */
  abstract readonly target: TargetLocation | null;

  /**
   * Writes one file. It counts only once it is noted as finished; one cut short is written anew by the next attempt.
   *
   * @param content exactly `file.size` bytes; when it throws, nothing of the file will be published
   * @throws StorageFailure, SupersededError, and what `content` throws
   */
  abstract write(file: StoredFile, content: AsyncIterable<Buffer>): Promise<void>;

  /** Files that earlier attempts finished and that are still here with their size, by path. */
  abstract finished(): Promise<ReadonlyMap<string, FinishedFile>>;

  /** Notes files as finished, durably enough to survive this process. @throws SupersededError */
  abstract noteFinished(files: readonly FinishedFile[]): Promise<void>;

  /** Adds the next entries to the list of what is published, in the order of the walk. */
  abstract list(records: readonly FileRecord[]): Promise<void>;

  /**
   * Flushes everything, writes the commit record and makes the whole visible at once.
   *
   * @returns the commit that stands now: this one, or the one of an earlier publication of the same import
   * @throws ForeignContentError, SupersededError
   */
  abstract publish(draft: CommitDraft): Promise<Commit>;

  /** Removes this workspace. */
  abstract discard(): Promise<void>;
}
