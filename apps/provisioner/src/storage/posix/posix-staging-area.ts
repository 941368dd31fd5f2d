import { createReadStream } from 'node:fs';
import { chmod, lutimes, mkdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failpoint } from '../../process/failpoint.js';
import type { Commit, CommitDraft, FileRecord } from '../../model/commit.js';
import { commitFile, fileListFile, recordFolder } from '../../model/layout.js';
import { linesIn } from '../lists.js';
import { Manifests } from '../manifests.js';
import { Attempt, type FileBatch, type FileDigests, type TargetLocation } from '../../model/attempt.js';
import { ForeignContentError, StorageFailure, SupersededError } from '../../model/storage-failure.js';
import type { ManifestAlgorithm } from '../../settings/manifest-algorithms.js';
import { readCommit } from './commit-index.js';
import {
  guarded,
  ignoring,
  isErrno,
  publishedFileMode,
  publishedFolderMode,
  removeFile,
  syncFolder,
  workFolderMode,
  writeDurably,
} from './durable-file.js';
import { checkFlush, flushFileSystem } from './file-system-flush.js';
import type { FlushFailures } from './flush-failures.js';
import { Journal } from './journal.js';
import { ListFile } from './list-file.js';
import { removeTree } from './remove-tree.js';
import { isIntact, readFromDisk } from './staged-file.js';
import { fingerprintFile, payloadFolder } from './staged-size.js';

/** The journal of finished batches, next to the payload. */
const journalFile = 'finished.ndjson';

/** The notes about large files that are not finished, next to the payload. */
const notesFolder = 'parts';

/** A file that exists from the start of a flush to its success. After a failure or a kill, the file remains. */
const unflushedFile = 'unflushed';

/**
 * The staging folder of one attempt: the payload, which the publication renames to the target folder, and the journal.
 *
 * Every operation uses a path that contains the attempt's token and closes what it opens. An attempt whose folder was
 * taken over therefore fails with ENOENT and never writes to the folder of its successor.
 */
export class PosixStagingArea extends Attempt {
  override readonly target: TargetLocation;
  private readonly payload: string;
  private readonly fileList: ListFile;
  private readonly manifests: Manifests;
  private journal!: Journal;
  /** The number of failed flushes of this process when this attempt started. */
  private readonly failedBefore: number;

  private constructor(
    private readonly folder: string,
    private readonly publishedFolder: string,
    private readonly flushFailures: FlushFailures,
    override readonly manifestAlgorithms: readonly ManifestAlgorithm[],
  ) {
    super();
    this.payload = join(folder, payloadFolder);
    this.target = { folder: this.payload, notes: join(folder, notesFolder) };
    this.fileList = new ListFile(join(this.payload, fileListFile));
    this.manifests = new Manifests(manifestAlgorithms, (path) => new ListFile(join(this.payload, path)));
    this.failedBefore = flushFailures.count;
  }

  /**
   * Prepares the folders. The payload of an earlier attempt is reused if its source has the same fingerprint, and
   * therefore the same paths. The lists are always written again.
   *
   * @param folders the attempt's folder, and the target folder of the publication
   */
  static async open(
    folders: { readonly own: string; readonly published: string; readonly fingerprint: string },
    flushFailures: FlushFailures,
    manifestAlgorithms: readonly ManifestAlgorithm[] = [],
  ): Promise<PosixStagingArea> {
    const area = new PosixStagingArea(folders.own, folders.published, flushFailures, manifestAlgorithms);
    await area.whileOwned(() => area.prepare(folders.fingerprint));
    return area;
  }

  private async prepare(fingerprint: string): Promise<void> {
    const { folder, payload } = this;
    const previous = await ignoring(['ENOENT'], readFile(join(folder, fingerprintFile), 'utf8'));
    if (previous !== fingerprint) {
      await removeTree(folder);
      await mkdir(folder, { mode: workFolderMode });
      await writeFile(join(folder, fingerprintFile), fingerprint);
    }
    await ignoring(['EEXIST'], mkdir(payload, { mode: workFolderMode }));
    await ignoring(['EEXIST'], mkdir(this.target.notes, { mode: workFolderMode }));
    await removeTree(join(payload, recordFolder));
    await mkdir(join(payload, recordFolder), { mode: workFolderMode });
    const hasFlushFailed =
      this.failedBefore > 0 || (await ignoring(['ENOENT'], stat(join(folder, unflushedFile)))) !== undefined;
    this.journal = await Journal.open(join(folder, journalFile), hasFlushFailed ? 'flushed' : 'all');
  }

  override read(path: string): AsyncIterable<Buffer> {
    return readFromDisk(join(this.payload, path));
  }

  override findFinished(batch: FileBatch): Promise<readonly FileDigests[] | null> {
    return guarded(async () => {
      const entry = this.journal.take(batch, this.manifestAlgorithms);
      if (!entry) return null;
      const { digests, isDurable } = entry;
      for (const [index, { path, size }] of batch.files.entries()) {
        const expected = { size, ...(!isDurable && { sha256: digests[index]?.sha256 }) };
        if (!(await isIntact(join(this.payload, path), expected))) return null;
      }
      return digests;
    });
  }

  override recordBatch(batch: FileBatch, digests: readonly FileDigests[]): Promise<void> {
    return this.whileOwned(() => this.journal.record(batch, digests));
  }

  override list(records: readonly FileRecord[]): Promise<void> {
    return this.whileOwned(async () => {
      await stat(this.payload);
      for (const record of records) if (record.type !== 'file') await this.createEntry(record);
      await this.fileList.add(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      await this.manifests.add(records);
    });
  }

  override async publish(draft: CommitDraft): Promise<Commit> {
    const commit: Commit = {
      schema: 'provisioner-commit/1',
      ...draft,
      content: {
        ...draft.content,
        list_sha256: await this.whileOwned(() => this.fileList.finish()),
        ...(await this.whileOwned(() => this.manifests.finish())),
      },
    };
    await this.whileOwned(async () => {
      await this.closeFolders();
      for (const list of [fileListFile, ...this.manifests.paths])
        await chmod(join(this.payload, list), publishedFileMode);
      await this.flush();
      failpoint('after_sync');
      await writeDurably(join(this.payload, commitFile), `${JSON.stringify(commit, null, 2)}\n`);
      failpoint('after_commit_json');
      await chmod(join(this.payload, recordFolder), publishedFolderMode);
    });
    failpoint('before_rename');
    return (await this.renameToTarget()) ? commit : this.existingCommit(commit);
  }

  /** Creates a folder or a link. The copiers create only files and the folders that files need. */
  private async createEntry({ path, type, target, mtime_ns }: FileRecord): Promise<void> {
    const entry = join(this.payload, path);
    if (type === 'directory') await ignoring(['EEXIST'], mkdir(entry, workFolderMode));
    if (type !== 'symlink') return;
    await ignoring(['EEXIST'], symlink(target ?? '', entry));
    await lutimes(entry, Number(mtime_ns) / 1e9, Number(mtime_ns) / 1e9);
  }

  /** Sets the times of the folders and makes the folders read-only. */
  private async closeFolders(): Promise<void> {
    for await (const lines of linesIn(createReadStream(this.fileList.path) as AsyncIterable<Buffer>)) {
      for (const line of lines) {
        if (!line.includes('"type":"directory"')) continue;
        const { path, type, mtime_ns } = JSON.parse(line) as FileRecord;
        if (type !== 'directory') continue;
        const seconds = Number(mtime_ns) / 1e9;
        await utimes(join(this.payload, path), seconds, seconds);
        await chmod(join(this.payload, path), publishedFolderMode);
      }
    }
  }

  /**
   * Flushes the file system once instead of once for each file. The operating system reports a failed write to one flush
   * only, and later flushes succeed without the lost data. If any flush of this process has failed since the attempt
   * started, or if a flush was interrupted, files that were not flushed individually must be copied again.
   */
  private async flush(): Promise<void> {
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

  /** Renames the payload to the target folder. @returns false if the target folder has content */
  private async renameToTarget(): Promise<boolean> {
    try {
      await this.whileOwned(() => rename(this.payload, this.publishedFolder));
    } catch (error) {
      if (error instanceof StorageFailure && ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(error.errno ?? ''))
        return false;
      throw error;
    }
    failpoint('after_rename');
    await guarded(() => finalize(this.publishedFolder));
    return true;
  }

  /** Returns the commit of an earlier publication of the same import. @throws ForeignContentError for other content */
  private async existingCommit(commit: Commit): Promise<Commit> {
    const existing = await guarded(() => readCommit(this.publishedFolder));
    const isSame =
      existing?.content.list_sha256 === commit.content.list_sha256 || existing?.import_id === commit.import_id;
    if (!existing || !isSame) throw new ForeignContentError(this.publishedFolder.split('/').slice(-3).join('/'));
    return existing;
  }

  /** Runs a call on the attempt's paths. @throws SupersededError if a path is missing: another attempt has taken over */
  private async whileOwned<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await guarded(call);
    } catch (error) {
      if (error instanceof StorageFailure && isErrno(error.cause, 'ENOENT')) throw new SupersededError();
      throw error;
    }
  }
}

/** Makes the rename of a published folder durable and the folder read-only. */
export async function finalize(folder: string): Promise<void> {
  await syncFolder(dirname(folder));
  await chmod(folder, publishedFolderMode);
}
