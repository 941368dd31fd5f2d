import type { Readable } from 'node:stream';
import type { Subject, SubjectKind } from './identifier.js';
import type { Problem } from './problem.js';
import type { NextBuffer, PinnedFile, SourceEntry, SourceObjects } from './source-system.js';
import type { Commit, CommitDraft, CommitHeads, FileRecord } from './commit.js';
import type { Leftover } from './leftover.js';

/** What room is left. */
export interface FreeSpace {
  readonly bytes: number;
  /** Bytes that it can hold, the taken ones included; infinite where nobody can tell. */
  readonly capacity: number;
  /** How many more files can be made; infinite where that is not limited. */
  readonly files: number;
}

/** The folder where copy threads put the files of an attempt; plain data, for it crosses to another thread. */
export interface TargetLocation {
  /** The folder that will become the dataset. */
  readonly folder: string;
}

/** A file or folder of an imported subject as it is now. */
export interface StoredEntry {
  readonly path: string;
  /** `other` is what no import makes, such as a pipe. */
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
}

/** What takes the bytes of an attempt's files where copy threads cannot put them. */
export interface StreamTarget {
  /**
   * Writes one file. It counts only once it is noted as finished; one cut short is written anew by the next attempt.
   *
   * @param content exactly `file.size` bytes; when it throws, nothing of the file will be published
   * @throws StorageFailure, SupersededError, and what `content` throws
   */
  write(file: StoredFile, content: AsyncIterable<Buffer>, more?: WriteOptions): Promise<void>;
}

/** What was moved aside. */
export interface WithdrawalResult {
  /** Where it is, as the interface shows places. */
  readonly path: string;
  readonly commit: Commit;
}

/** What is imported under an id that differs from another by case only. */
export interface ImportedCaseVariant {
  /** Where it is, as the interface shows places. */
  readonly path: string;
  readonly commit: Commit;
}

/** A file to be written, as the source has it. */
export type StoredFile = Pick<SourceEntry, 'path' | 'size' | 'mtimeNs'>;

/**
 * Files from this size on are flushed each by itself before they are noted as finished, the smaller ones all at once
 * before the publication. In bytes. A thread waits while it flushes, so only for what would take long to copy again.
 */
export const individualFlushBytes = 32 * 1024 * 1024;

/** Files that are copied together, and noted together as finished. */
export interface FileBatch {
  /** Says which files these are, and how the walk saw them: another text as soon as anything about them is another. */
  readonly key: string;
  /** In the order of the walk. */
  readonly files: readonly StoredFile[];
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

  /** Writes and removes a few bytes. @throws StorageFailure if the storage is full, is read-only or refuses the write */
  abstract tryWriting(): Promise<void>;

  /** Why an entry cannot be kept in a subject, if it cannot: its name is too long here, or it is a link and there are none. */
  abstract refusalOf(subject: Subject, entry: Pick<SourceEntry, 'path' | 'type'>): Problem | undefined;

  /** The head of every commit record of a kind. Served from memory while the storage's listing is unchanged. */
  abstract commits(kind: SubjectKind): Promise<CommitHeads>;

  /** The commit record of one subject as it is now, or null. Never from memory. */
  abstract findCommit(subject: Subject): Promise<Commit | null>;

  /** What is imported under an id that differs from a subject's by case only. Never from memory alone. */
  abstract findCaseVariant(subject: Subject): Promise<ImportedCaseVariant | null>;

  /** Where a subject's files are or will be, as the interface shows it: `data/raw/DS-001/`. */
  abstract pathOf(subject: Subject): string;

  /** The stored list of an imported subject's files: lines of FileRecord in JSON, or lines for `sha256sum -c`. */
  abstract openList(subject: Subject, form: 'ndjson' | 'sha256sum'): Readable;

  /** The SHA-256 of the list for `sha256sum -c` as it is now, hexadecimal. @throws StorageFailure, or the signal's reason */
  abstract digestOfManifest(subject: Subject, signal: AbortSignal): Promise<string>;

  /** Everything of an imported subject as it is now, in no order, our records left out; links are not followed. */
  abstract entriesOf(subject: Subject): AsyncIterable<StoredEntry>;

  /** The folder of an imported subject, where threads read its files themselves; null where only `openFile` does. */
  abstract folderOf(subject: Subject): string | null;

  /** The bytes of one file of an imported subject. */
  abstract openFile(subject: Subject, path: string): Readable;

  /** Puts a document of ours beside the files of an imported collection, in place of the last one; not there: nothing. */
  abstract writeDocument(collection: Subject, name: string, text: string): Promise<void>;

  /** The room left for data; infinite where nobody can tell. */
  abstract freeSpace(): Promise<FreeSpace>;

  /**
   * A workspace of this attempt's own. It takes over what an earlier attempt at the same subject has left, so that
   * the earlier one, should it still run, can neither write nor publish any more. To be called by whoever has the open
   * request of the subject: that its twin is not imported meanwhile is the request log's to see to.
   *
   * @param token unique to the attempt
   * @param fingerprint the source's; what was copied from a source with another one is thrown away
   * @throws TwinStandsError when `findTwin` finds one; HeldByWithdrawalError when a withdrawal of the subject has not ended
   */
  abstract openAttempt(subject: Subject, token: string, fingerprint: string): Promise<Attempt>;

  /**
   * Completes what a crash at the publication of a subject has left undone. From the instant on from which nobody can
   * take a publication back it is completed, whatever has become of the source since.
   *
   * @returns what stands then, durable and read-only; null when nothing was published
   */
  abstract completePublication(subject: Subject): Promise<Commit | null>;

  /**
   * Takes an imported subject out of sight and moves it aside, as it is; nothing is removed. It is out of sight as a
   * whole from one instant on. After a crash the same call goes on.
   *
   * @param importId the import that made what is withdrawn; what another has made stays
   * @param token unique to the withdrawal
   * @throws NothingToWithdrawError
   */
  abstract withdraw(subject: Subject, importId: string, token: string): Promise<WithdrawalResult>;

  /**
   * Removes what attempts at a subject have left. Harmless when nothing is left; an attempt that is still at work can
   * neither write nor publish any more.
   */
  abstract discard(subject: Subject): Promise<void>;

  /** What attempts and killed processes have left, whether an import still needs it or not. */
  abstract leftovers(): AsyncIterable<Leftover>;
}

/** What else is known of a file whose bytes are written, or wanted. */
export interface WriteOptions {
  /** Told of so many bytes that an earlier attempt had stored and that were compared with these. */
  readonly onResumed?: (bytes: number) => void;
  /** The SHA-256 of the content, hexadecimal, once all of it was handed out. */
  readonly sha256?: () => string | undefined;
}

/** A store as an attempt has it copy files by itself. */
export interface CopyingStore {
  /** The same text as a source in the same store has. */
  readonly name: string;

  /**
   * Has it copy a file from a source that it holds too. What was copied counts as written.
   *
   * @param signal ends what takes long
   * @returns null when the file is there; else why the store does not copy it, in its words: it is to be written then
   * @throws StorageFailure, SupersededError, and the client's error when the signal has ended it
   */
  copyFrom(from: SourceObjects, file: PinnedFile, signal: AbortSignal): Promise<string | null>;
}

/** One attempt's private workspace, invisible until published. */
export abstract class Attempt {
  /** Where files go. One counts only once it is noted as finished. */
  abstract readonly target: TargetLocation | StreamTarget;

  /** The store that it is in; null where it is in none. */
  readonly store: CopyingStore | null = null;

  /**
   * The bytes of a file that was written: from the medium, as far as the storage can be made to forget its cache.
   *
   * @param next lends what to gather them in, where that is of use
   */
  abstract read(path: string, next?: NextBuffer): AsyncIterable<Buffer>;

  /**
   * What an earlier attempt has noted of a batch, if it finished it and its files are still here: hexadecimal SHA-256
   * of each, in the order of the batch. Else null. To be asked once for each batch, in any order.
   */
  abstract findFinished(batch: FileBatch): Promise<readonly string[] | null>;

  /**
   * Notes a batch as finished, durably enough to survive this process. What a crash of the machine may have cost is
   * read again before it counts.
   *
   * @param sha256 hexadecimal, of each file in the order of the batch
   * @throws SupersededError
   */
  abstract recordBatch(batch: FileBatch, sha256: readonly string[]): Promise<void>;

  /** Adds the next entries to the list of what is published, in the order of the walk. */
  abstract list(records: readonly FileRecord[]): Promise<void>;

  /**
   * Flushes everything, writes the commit record and makes the whole visible at once.
   *
   * @returns the commit that stands now: this one, or the one of an earlier publication of the same import
   * @throws ForeignContentError, SupersededError
   */
  abstract publish(draft: CommitDraft): Promise<Commit>;
}
