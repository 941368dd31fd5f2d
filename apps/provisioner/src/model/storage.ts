import type { Readable } from 'node:stream';
import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import type { Subject, SubjectKind } from './identifier.js';
import type { Problem } from './problem.js';
import type { SourceEntry } from './source-system.js';
import type { Attempt } from './attempt.js';
import type { Commit, CommitHeads } from './commit.js';
import type { Leftover } from './leftover.js';
import type { Shard } from './shards.js';

/** The free space of a storage. */
export interface FreeSpace {
  /** Free bytes; infinite if unknown. */
  readonly bytes: number;
  /** Total bytes, used and free; infinite if unknown. */
  readonly capacity: number;
  /** The number of files that can still be created; infinite if there is no limit. */
  readonly files: number;
}

/** The size of the staged files of a subject. */
export interface StagedSize {
  readonly bytes: number;
  /** The number of files, folders and links. */
  readonly files: number;
}

/** An entry of an imported subject in its present state. */
export interface StoredEntry {
  readonly path: string;
  /** `other` is a kind of entry that no import creates, such as a pipe. */
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
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
   * Measures the files that earlier attempts at a subject have staged. The next attempt reuses or removes them before it
   * needs their space. Reads every staged entry, at most once in some minutes.
   *
   * @param fingerprint the fingerprint of the present source
   * @returns null if the free space of the storage is unknown, so that the size does not matter
   */
  abstract stagedSize(subject: Subject, fingerprint: string): Promise<StagedSize | null>;

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
   * Claims a shard of the attempt at a subject. If another process has claimed the shard, that process can no longer add
   * files to the attempt.
   *
   * @param token unique to the claim
   * @returns null if the shard is finished, has failed or does not exist
   */
  abstract claimShard(subject: Subject, shard: number, token: string): Promise<Shard | null>;

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
   * Removes the files of a withdrawn subject. Does nothing if none are left.
   *
   * @param token the token of the withdrawal, which must have ended
   */
  abstract purge(subject: Subject, token: string): Promise<void>;

  /**
   * Removes the workspaces of all attempts at a subject. A running attempt can no longer write or publish. Does nothing
   * if no workspace exists.
   */
  abstract discard(subject: Subject): Promise<void>;

  /** Yields the leftovers of attempts and killed processes, including those from which an open import can resume. */
  abstract leftovers(): AsyncIterable<Leftover>;
}
