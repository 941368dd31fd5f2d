import type { ManifestAlgorithm } from '../settings/manifest-algorithms.js';
import type { FileRecord } from './commit.js';
import type { NextBuffer, PinnedFile, SourceEntry, SourceObjects } from './source-system.js';

/** The folder to which copy threads write the files of an attempt. Plain data, because it is sent to the threads. */
export interface TargetLocation {
  /** The folder that is published as the dataset. */
  readonly folder: string;
  /** The folder of the notes about large files that are not finished. */
  readonly notes: string;
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
 * A private workspace for files, invisible to readers.
 *
 * Every method throws StorageFailure if the storage fails. If another process has taken over, the methods that write
 * throw SupersededError, and the methods that read may throw StorageFailure. After a failure, the caller must open a
 * new workspace.
 */
export abstract class Workspace {
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
}
