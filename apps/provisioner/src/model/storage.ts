import type { Readable } from 'node:stream';
import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import type { Subject, SubjectKind } from './identifier.js';
import type { Problem } from './problem.js';
import type { NextBuffer, PinnedFile, SourceEntry, SourceObjects } from './source-system.js';
import type { Commit, CommitDraft, CommitHeads, FileRecord } from './commit.js';
import type { Leftover } from './leftover.js';

/** The free space of a storage. */
export interface FreeSpace {
  /** Free bytes; infinite if unknown. */
  readonly bytes: number;
  /** Total bytes, used and free; infinite if unknown. */
  readonly capacity: number;
  /** The number of files that can still be created; infinite if there is no limit. */
  readonly files: number;
}

/** The folder to which copy threads write the files of an attempt. Plain data, because it is sent to the threads. */
export interface TargetLocation {
  /** The folder that is published as the dataset. */
  readonly folder: string;
}

/** An entry of an imported subject in its present state. */
export interface StoredEntry {
  readonly path: string;
  /** `other` is a kind of entry that no import creates, such as a pipe. */
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
}

/** A target for the files of an attempt in a storage to which copy threads cannot write. */
export interface StreamTarget {
  /**
   * Writes one file. The file is published only if `recordBatch` is called for its batch. May be called again for
   * the same file.
   *
   * @param content exactly `file.size` bytes. If `content` throws, no part of the file is published.
   * @throws StorageFailure if the storage fails; SupersededError if another attempt has taken over; the error that
   *   `content` throws
   */
  write(file: StoredFile, content: AsyncIterable<Buffer>, more?: WriteOptions): Promise<void>;
}

export interface WithdrawalResult {
  /** The new path of the subject, as shown to callers. */
  readonly path: string;
  readonly commit: Commit;
}

/** An imported subject whose id differs only by case from another id. */
export interface ImportedCaseVariant {
  /** The path of the subject, as shown to callers. */
  readonly path: string;
  readonly commit: Commit;
}

/** The properties of a file in the source that its copy must have. */
export type StoredFile = Pick<SourceEntry, 'path' | 'size' | 'mtimeNs'>;

/**
 * The size in bytes from which each file is flushed before it is recorded as finished. Smaller files are flushed
 * together before the publication. Flushing blocks a thread, so it pays only for files that take long to copy again.
 */
export const individualFlushBytes = 32 * 1024 * 1024;

/** The hexadecimal digests of a file, by the algorithm of the manifest. */
export type FileDigests = { readonly sha256: string } & Readonly<Partial<Record<ManifestAlgorithm, string>>>;

/** Files that are copied together and recorded together as finished. */
export interface FileBatch {
  /** Identifies the files and their versions. Changes whenever any of the files changes. */
  readonly key: string;
  /** The files in the order of the walk. */
  readonly files: readonly StoredFile[];
}

/**
 * The data storage. A subject is imported if and only if the storage contains a commit record of the subject.
 *
 * Every method throws StorageFailure if the storage fails; `failureOf` states which failures may be retried. Every
 * method may be called again after a failure or a crash. The methods that read the files of a subject require an
 * imported subject and otherwise fail.
 */
export abstract class Storage {
  /**
   * Tests the guarantees that imports rely on, with real writes.
   *
   * @throws StorageFailure if a guarantee does not hold
   */
  abstract probe(): Promise<void>;

  /** Checks that the storage answers. @throws StorageFailure if it does not */
  abstract ping(): Promise<void>;

  /**
   * Writes and removes a few bytes.
   *
   * @throws StorageFailure if the storage is full, is read-only or refuses the write
   */
  abstract tryWriting(): Promise<void>;

  /**
   * Returns why an entry cannot be stored, for example because its name is too long or because the storage does not
   * support symbolic links.
   *
   * @returns undefined if the entry can be stored
   */
  abstract refusalOf(subject: Subject, entry: Pick<SourceEntry, 'path' | 'type'>): Problem | undefined;

  /** Returns the head of every commit record of a kind. Reads only records that have changed. */
  abstract commits(kind: SubjectKind): Promise<CommitHeads>;

  /** Reads the commit record of a subject, never from a cache. @returns null if the subject is not imported */
  abstract findCommit(subject: Subject): Promise<Commit | null>;

  /**
   * Finds an imported subject whose id differs only by case. The result is confirmed by a read.
   *
   * @returns null if none exists
   */
  abstract findCaseVariant(subject: Subject): Promise<ImportedCaseVariant | null>;

  /** Returns the path of a subject's files as shown to callers, e.g. `data/raw/DS-001/`, imported or not. */
  abstract pathOf(subject: Subject): string;

  /** Opens the file list of an imported subject: FileRecords as lines of JSON, or the manifest of an algorithm. */
  abstract openList(subject: Subject, list: 'ndjson' | ManifestAlgorithm): Readable;

  /**
   * Computes the SHA-256 of a stored manifest, hexadecimal.
   *
   * @throws the reason of the signal if the signal is aborted
   */
  abstract digestOfManifest(subject: Subject, algorithm: ManifestAlgorithm, signal: AbortSignal): Promise<string>;

  /**
   * Yields the present entries of an imported subject in any order, without the folder `.import`. Does not follow
   * symbolic links.
   */
  abstract entriesOf(subject: Subject): AsyncIterable<StoredEntry>;

  /**
   * Returns the folder from which threads can read an imported subject.
   *
   * @returns null if only `openFile` can read it
   */
  abstract folderOf(subject: Subject): string | null;

  /** Opens a file of an imported subject. */
  abstract openFile(subject: Subject, path: string): Readable;

  /**
   * Creates or replaces a document next to the files of an imported collection. Does nothing if the collection is not
   * imported.
   */
  abstract writeDocument(collection: Subject, name: string, text: string): Promise<void>;

  /** Returns the free space for data. */
  abstract freeSpace(): Promise<FreeSpace>;

  /**
   * Opens a private workspace for an attempt at a subject. The workspace takes over the files of an earlier attempt. If
   * the earlier attempt still runs, it can no longer write or publish. The caller must hold the open request of the
   * subject; the request log ensures that no case variant is imported at the same time.
   *
   * @param token unique to the attempt
   * @param fingerprint the fingerprint of the source. Files copied from a source with another fingerprint are removed.
   * @param manifests the algorithms of the manifests to write in addition to SHA-256; none by default
   * @throws CaseVariantImportedError if `findCaseVariant` finds a subject; WithdrawalInProgressError if a withdrawal of
   *   the subject has not ended
   */
  abstract openAttempt(
    subject: Subject,
    token: string,
    fingerprint: string,
    manifests?: readonly ManifestAlgorithm[],
  ): Promise<Attempt>;

  /**
   * Completes a publication that a crash interrupted after its point of no return, regardless of changes in the source.
   *
   * @returns the commit, durable and read-only; null if the subject is not published
   */
  abstract completePublication(subject: Subject): Promise<Commit | null>;

  /**
   * Moves an imported subject to the folder of withdrawn subjects, without a change to its files. Readers see the whole
   * subject or nothing. After a crash, a call with the same arguments completes the withdrawal.
   *
   * @param importId the import whose result is withdrawn
   * @param token unique to the withdrawal
   * @throws NothingToWithdrawError if the subject is not imported, or was imported by another import
   */
  abstract withdraw(subject: Subject, importId: string, token: string): Promise<WithdrawalResult>;

  /**
   * Removes the workspaces of all attempts at a subject. A running attempt can no longer write or publish. Does nothing
   * if no workspace exists.
   */
  abstract discard(subject: Subject): Promise<void>;

  /** Yields the leftovers of attempts and killed processes, including those from which an open import can resume. */
  abstract leftovers(): AsyncIterable<Leftover>;
}

/** Options for writing a file. */
export interface WriteOptions {
  /** Called with the number of bytes that an earlier attempt stored and that match the content. */
  readonly onResumed?: (bytes: number) => void;
  /** Returns the SHA-256 of the content, hexadecimal, after the whole content has been read. */
  readonly sha256?: () => string | undefined;
}

/** A store that can copy files itself, from a source in the same store. */
export interface CopyingStore {
  /** The name of the store. Equal to `SourceObjects.store` of a source in the same store. */
  readonly name: string;

  /**
   * Copies a file within the store. A copied file counts as written.
   *
   * @param signal cancels the copy
   * @returns null if the file was copied; otherwise the store's reason for refusing. The caller must then write the
   *   file.
   * @throws StorageFailure if the storage fails; SupersededError if another attempt has taken over; the client's error
   *   if the signal is aborted
   */
  copyFrom(from: SourceObjects, file: PinnedFile, signal: AbortSignal): Promise<string | null>;
}

/**
 * The private workspace of one attempt, invisible to readers until it is published.
 *
 * Every method throws StorageFailure if the storage fails. If another attempt has taken over, the methods that write
 * throw SupersededError, and the methods that read may throw StorageFailure. After a failure, the caller must open a
 * new attempt.
 */
export abstract class Attempt {
  /** The algorithms of the manifests to write in addition to SHA-256. */
  abstract readonly manifestAlgorithms: readonly ManifestAlgorithm[];

  /** The target for files. A file is published only if `recordBatch` is called for its batch. */
  abstract readonly target: TargetLocation | StreamTarget;

  /** The store of the workspace, if it can copy files itself; otherwise null. */
  readonly store: CopyingStore | null = null;

  /**
   * Yields the bytes of a written file, bypassing the cache of the storage where possible.
   *
   * @param next supplies buffers; a storage may ignore it
   */
  abstract read(path: string, next?: NextBuffer): AsyncIterable<Buffer>;

  /**
   * Returns the digests that an earlier attempt recorded for the files of a batch, in the order of the batch. Must be
   * called at most once for each batch. Batches may come in any order.
   *
   * @returns null if no attempt finished the batch, if any of its files is missing, or if the record lacks a digest for a
   *   manifest of this attempt
   */
  abstract findFinished(batch: FileBatch): Promise<readonly FileDigests[] | null>;

  /**
   * Records a batch as finished. The record survives the end of the process. After a crash of the machine, the next
   * attempt reads the files again before it relies on the record.
   *
   * @param digests of each file for every manifest of this attempt, in the order of the batch
   */
  abstract recordBatch(batch: FileBatch, digests: readonly FileDigests[]): Promise<void>;

  /** Appends entries to the list of published entries. Must be called once for each entry, in the order of the walk. */
  abstract list(records: readonly FileRecord[]): Promise<void>;

  /**
   * Flushes all files, writes the commit record and makes the subject visible in one step.
   *
   * @returns the published commit: of this attempt, or of an earlier attempt at the same import that was already
   *   published
   * @throws ForeignContentError if the path of the subject contains data that no import has written
   */
  abstract publish(draft: CommitDraft): Promise<Commit>;
}
