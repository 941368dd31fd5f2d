import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failpoint } from '../../process/failpoint.js';
import { Workspace, type FileBatch, type FileDigests, type TargetLocation } from '../../model/workspace.js';
import { StorageFailure, SupersededError } from '../../model/storage-failure.js';
import type { ManifestAlgorithm } from '../../settings/manifest-algorithms.js';
import { guarded, ignoring, isErrno, removeFile } from './durable-file.js';
import { checkFlush, flushFileSystem } from './file-system-flush.js';
import type { FlushFailures } from './flush-failures.js';
import { Journal, type JournalEntry } from './journal.js';
import { isIntact, readFromDisk } from './staged-file.js';
import { payloadFolder } from './staged-size.js';

/** The journal of finished batches, next to the payload. */
export const journalFile = 'finished.ndjson';

/** The notes about large files that are not finished, next to the payload. */
const notesFolder = 'parts';

/** A file that exists from the start of a flush to its success. After a failure or a kill, the file remains. */
const unflushedFile = 'unflushed';

/**
 * A folder with copied files, the payload, and with the journal of the finished batches.
 *
 * Every operation uses a path that contains a token and closes what it opens. A workspace whose folder was taken over
 * therefore fails with ENOENT and never writes to the folder of its successor.
 */
export abstract class PosixWorkspace extends Workspace {
  override readonly target: TargetLocation;
  protected readonly payload: string;
  private journal!: Journal;
  /** The number of failed flushes of this process when this workspace was opened. */
  private readonly failedBefore: number;

  protected constructor(
    protected readonly folder: string,
    private readonly flushFailures: FlushFailures,
    override readonly manifestAlgorithms: readonly ManifestAlgorithm[],
  ) {
    super();
    this.payload = join(folder, payloadFolder);
    this.target = { folder: this.payload, notes: join(folder, notesFolder) };
    this.failedBefore = flushFailures.count;
  }

  /** Reads the journal of earlier owners of the folder. */
  protected async openJournal(): Promise<void> {
    const { folder, failedBefore } = this;
    const hasFlushFailed =
      failedBefore > 0 || (await ignoring(['ENOENT'], stat(join(folder, unflushedFile)))) !== undefined;
    this.journal = await Journal.open(join(folder, journalFile), hasFlushFailed ? 'flushed' : 'all');
  }

  /** Whether the journal has no batch that was not found. */
  protected get isJournalEmpty(): boolean {
    return this.journal.isEmpty;
  }

  override read(path: string): AsyncIterable<Buffer> {
    return readFromDisk(join(this.payload, path));
  }

  override findFinished(batch: FileBatch): Promise<readonly FileDigests[] | null> {
    return guarded(async () => {
      const entry = this.journal.take(batch, this.manifestAlgorithms);
      return entry && (await this.areIntact(batch, entry)) ? entry.digests : null;
    });
  }

  override recordBatch(batch: FileBatch, digests: readonly FileDigests[]): Promise<void> {
    return this.whileOwned(() => this.journal.record(batch, digests));
  }

  /** Returns whether the files of a batch exist as the journal states. */
  protected async areIntact({ files }: FileBatch, { digests, isDurable }: JournalEntry): Promise<boolean> {
    for (const [index, { path, size }] of files.entries()) {
      const expected = { size, ...(!isDurable && { sha256: digests[index]?.sha256 }) };
      if (!(await isIntact(join(this.payload, path), expected))) return false;
    }
    return true;
  }

  /**
   * Flushes the file system once instead of once for each file. The operating system reports a failed write to one flush
   * only, and later flushes succeed without the lost data. If any flush of this process has failed since the workspace was
   * opened, or if a flush was interrupted, files that were not flushed individually must be copied again.
   */
  protected async flush(): Promise<void> {
    failpoint('before_sync');
    const mark = join(this.folder, unflushedFile);
    await writeFile(mark, '');
    const cause: unknown = await flushFileSystem(this.payload).then(
      () => null,
      (error: unknown) => error,
    );
    if (cause !== null) {
      failpoint('flush_failed');
      await stat(this.payload);
      // A program that is missing has flushed nothing, and its error code would read as a missing folder.
      if (isErrno(cause, 'ENOENT')) await checkFlush();
      this.flushFailures.count += 1;
    }
    if (this.flushFailures.count !== this.failedBefore)
      throw new StorageFailure('The storage could not be flushed; check its disks.', 'EIO', cause);
    await removeFile(mark);
  }

  /** Runs a call on the workspace's paths. @throws SupersededError if another process has taken over */
  protected whileOwned<T>(call: () => Promise<T>): Promise<T> {
    return whileOwned(call);
  }
}

/**
 * Runs a call on paths that contain a token.
 *
 * @throws SupersededError if a path is missing: another process has taken over
 */
export async function whileOwned<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await guarded(call);
  } catch (error) {
    if (error instanceof StorageFailure && isErrno(error.cause, 'ENOENT')) throw new SupersededError();
    throw error;
  }
}
