import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { chmod, lutimes, mkdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { failpoint } from '../../process/failpoint.js';
import type { Commit, CommitDraft, FileRecord } from '../../model/commit.js';
import { commitFile, fileListFile, manifestFile, recordFolder } from '../../model/layout.js';
import { linesIn, manifestLine } from '../lists.js';
import { Attempt, type FileBatch, type TargetLocation } from '../../model/storage.js';
import { ForeignContentError, StorageFailure, SupersededError } from '../../model/storage-failure.js';
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
import type { FlushRecord } from './flush-failures.js';
import { Journal } from './journal.js';
import { ListFile } from './list-file.js';
import { removeTree } from './remove-tree.js';
import { isIntact, readFromDisk } from './staged-file.js';

const run = promisify(execFile);

/** Where, beside the payload, the batches that are finished are noted. */
const journalFile = 'finished.ndjson';

/** Where the source's fingerprint is noted that the payload was copied from. */
const fingerprintFile = 'fingerprint';

/** There while nobody knows that the last flush succeeded: it goes on, has failed, or its process was killed. */
const unflushedFile = 'unflushed';

/**
 * A staging folder of one attempt: the payload that will be renamed into place, and beside it the journal.
 *
 * Every call names its path through the attempt's own token and closes what it opens. An attempt whose folder was
 * taken over therefore meets ENOENT, and never writes into its successor's.
 */
export class PosixAttempt extends Attempt {
  override readonly target: TargetLocation;
  private readonly payload: string;
  private readonly fileList: ListFile;
  private readonly manifest: ListFile;
  private journal!: Journal;
  /** Flushes of this process that had failed when this attempt began. */
  private readonly failedBefore: number;

  private constructor(
    private readonly own: string,
    private readonly place: string,
    private readonly flushes: FlushRecord,
  ) {
    super();
    this.payload = join(own, 'payload');
    this.target = { folder: this.payload };
    this.fileList = new ListFile(join(this.payload, fileListFile));
    this.manifest = new ListFile(join(this.payload, manifestFile));
    this.failedBefore = flushes.failed;
  }

  /**
   * Prepares the folders. The lists of an earlier attempt are written anew; its payload is kept when it was copied
   * from a source of the same fingerprint, so of the same paths.
   */
  static async open(
    { own, place, fingerprint }: { readonly own: string; readonly place: string; readonly fingerprint: string },
    flushes: FlushRecord,
  ): Promise<PosixAttempt> {
    const attempt = new PosixAttempt(own, place, flushes);
    await attempt.owned(() => attempt.prepare(fingerprint));
    return attempt;
  }

  private async prepare(fingerprint: string): Promise<void> {
    const { own, payload } = this;
    const former = await ignoring(['ENOENT'], readFile(join(own, fingerprintFile), 'utf8'));
    if (former !== fingerprint) {
      await removeTree(own);
      await mkdir(own, { mode: workFolderMode });
      await writeFile(join(own, fingerprintFile), fingerprint);
    }
    await ignoring(['EEXIST'], mkdir(payload, { mode: workFolderMode }));
    await removeTree(join(payload, recordFolder));
    await mkdir(join(payload, recordFolder), { mode: workFolderMode });
    const isDoubtful =
      this.failedBefore > 0 || (await ignoring(['ENOENT'], stat(join(own, unflushedFile)))) !== undefined;
    this.journal = await Journal.open(join(own, journalFile), isDoubtful ? 'flushed' : 'noted');
  }

  override read(path: string): AsyncIterable<Buffer> {
    return readFromDisk(join(this.payload, path));
  }

  override findFinished(batch: FileBatch): Promise<readonly string[] | null> {
    return guarded(async () => {
      const noted = this.journal.take(batch);
      if (!noted) return null;
      const { sha256, isDurable } = noted;
      for (const [index, { path, size }] of batch.files.entries()) {
        const wanted = { size, ...(!isDurable && { sha256: sha256[index] }) };
        if (!(await isIntact(join(this.payload, path), wanted))) return null;
      }
      return sha256;
    });
  }

  override recordBatch(batch: FileBatch, sha256: readonly string[]): Promise<void> {
    return this.owned(() => this.journal.record(batch, sha256));
  }

  override list(records: readonly FileRecord[]): Promise<void> {
    return this.owned(async () => {
      await stat(this.payload);
      for (const record of records) if (record.type !== 'file') await this.make(record);
      await this.fileList.add(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      await this.manifest.add(records.map(manifestLine).join(''));
    });
  }

  override async publish(draft: CommitDraft): Promise<Commit> {
    const commit: Commit = {
      schema: 'provisioner-commit/1',
      ...draft,
      content: {
        ...draft.content,
        list_sha256: await this.owned(() => this.fileList.finish()),
        manifest_sha256: await this.owned(() => this.manifest.finish()),
      },
    };
    await this.owned(async () => {
      await this.closeFolders();
      for (const list of [fileListFile, manifestFile]) await chmod(join(this.payload, list), publishedFileMode);
      await this.flush();
      failpoint('after_sync');
      await writeDurably(join(this.payload, commitFile), `${JSON.stringify(commit, null, 2)}\n`);
      failpoint('after_commit_json');
      await chmod(join(this.payload, recordFolder), publishedFolderMode);
    });
    failpoint('before_rename');
    return (await this.moveIntoPlace()) ? commit : this.standing(commit);
  }

  /** Makes what is not copied: folders, also those that nothing was copied into, and links. */
  private async make({ path, type, target, mtime_ns }: FileRecord): Promise<void> {
    const made = join(this.payload, path);
    if (type === 'directory') await ignoring(['EEXIST'], mkdir(made, workFolderMode));
    if (type !== 'symlink') return;
    await ignoring(['EEXIST'], symlink(target ?? '', made));
    await lutimes(made, Number(mtime_ns) / 1e9, Number(mtime_ns) / 1e9);
  }

  /** Gives the folders their times and makes them read-only. */
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
   * One flush of the file system instead of one for each file; an error of any write shows here at the latest. It shows
   * once and to one caller: a later flush would succeed without what was lost. So after a flush that failed, this one or
   * another's since this attempt began, or that nobody saw the end of, what it should have flushed counts no more.
   */
  private async flush(): Promise<void> {
    failpoint('before_sync');
    const mark = join(this.own, unflushedFile);
    await writeFile(mark, '');
    const cause: unknown = await run('sync', ['-f', this.payload]).then(
      () => null,
      (error: unknown) => error,
    );
    if (cause !== null) {
      failpoint('flush_failed');
      await stat(this.payload);
      this.flushes.failed += 1;
    }
    if (this.flushes.failed !== this.failedBefore)
      throw new StorageFailure('The storage could not be flushed.', 'EIO', cause);
    await removeFile(mark);
  }

  /** @returns whether this attempt is what stands there now */
  private async moveIntoPlace(): Promise<boolean> {
    try {
      await this.owned(() => rename(this.payload, this.place));
    } catch (error) {
      if (error instanceof StorageFailure && ['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(error.errno ?? ''))
        return false;
      throw error;
    }
    failpoint('after_rename');
    await guarded(() => settle(this.place));
    return true;
  }

  /** What stands in the place: the same import published before, or something we do not know. */
  private async standing(commit: Commit): Promise<Commit> {
    const standing = await guarded(() => readCommit(this.place));
    const isSame =
      standing?.content.list_sha256 === commit.content.list_sha256 || standing?.import_id === commit.import_id;
    if (!standing || !isSame) throw new ForeignContentError(this.place.split('/').slice(-3).join('/'));
    return standing;
  }

  /** Runs a call on our own paths; that they are gone means that another attempt has taken over. */
  private async owned<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await guarded(call);
    } catch (error) {
      if (error instanceof StorageFailure && isErrno(error.cause, 'ENOENT')) throw new SupersededError();
      throw error;
    }
  }
}

/** Makes a folder that was renamed into place stay there, and read-only. */
export async function settle(place: string): Promise<void> {
  await syncFolder(dirname(place));
  await chmod(place, publishedFolderMode);
}
