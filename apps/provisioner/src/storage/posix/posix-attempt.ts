import { execFile } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { appendFile, chmod, mkdir, open, readFile, rename, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Commit, CommitDraft, FileRecord } from '../commit.js';
import { Attempt, type FinishedFile, type StoredFile, type TargetLocation } from '../storage.js';
import { ForeignContentError, StorageFailure, SupersededError } from '../storage-failure.js';
import { readCommit } from './commit-index.js';
import { manifestLine, parseJournal } from '../lists.js';
import { guarded, ignoring, isErrno, removeFile, syncFolder, workFolderMode, writeDurably } from './durable-file.js';
import { commitFile, fileListFile, manifestFile, recordFolder } from '../layout.js';
import { removeTree } from './remove-tree.js';

const run = promisify(execFile);

const publishedFileMode = 0o440;

/** The lists grow until they are published: their own account must be able to write to them till then. */
const workFileMode = 0o640;

/** Folders as they are once published: read-only. */
const publishedFolderMode = 0o550;

/** Where, beside the payload, the files that are finished are noted. */
const journalFile = 'finished.ndjson';

/** Where the source's fingerprint is noted that the payload was copied from. */
const fingerprintFile = 'fingerprint';

/**
 * A staging folder of one attempt: the payload that will be renamed into place, and beside it the journal.
 *
 * Every call names its path through the attempt's own token and closes what it opens. An attempt whose folder was
 * taken over therefore meets ENOENT, and never writes into its successor's.
 */
export class PosixAttempt extends Attempt {
  override readonly target: TargetLocation;
  private readonly payload: string;
  private readonly journal: string;
  private readonly listDigest: Hash = createHash('sha256');
  private readonly manifestDigest: Hash = createHash('sha256');
  private readonly folders: FileRecord[] = [];

  private constructor(
    private readonly own: string,
    private readonly place: string,
  ) {
    super();
    this.payload = join(own, 'payload');
    this.journal = join(own, journalFile);
    this.target = { folder: this.payload };
  }

  /**
   * Prepares the folders. The lists of an earlier attempt are written anew; its payload is kept when it was copied
   * from a source of the same fingerprint, so of the same paths.
   */
  static async open(own: string, place: string, fingerprint: string): Promise<PosixAttempt> {
    const attempt = new PosixAttempt(own, place);
    const former = await ignoring(['ENOENT'], readFile(join(own, fingerprintFile), 'utf8'));
    if (former !== fingerprint) {
      await removeTree(own);
      await mkdir(own, { mode: workFolderMode });
      await writeFile(join(own, fingerprintFile), fingerprint);
    }
    await mkdir(attempt.payload, { recursive: true, mode: workFolderMode });
    await removeTree(join(attempt.payload, recordFolder));
    await mkdir(join(attempt.payload, recordFolder), { mode: workFolderMode });
    return attempt;
  }

  /** Always a new inode: whoever still writes to an older one cannot reach it. */
  override async write({ path, mtimeNs }: StoredFile, content: AsyncIterable<Buffer>): Promise<void> {
    const target = join(this.payload, path);
    const file = await this.owned(async () => {
      await this.makeFolder(dirname(target));
      await removeFile(target);
      return open(target, 'wx', publishedFileMode);
    });
    try {
      for await (const bytes of content) await guarded(() => file.writeFile(bytes));
      await guarded(async () => {
        await file.utimes(Number(mtimeNs) / 1e9, Number(mtimeNs) / 1e9);
        await file.sync();
      });
    } finally {
      await file.close();
    }
  }

  override finished(): Promise<ReadonlyMap<string, FinishedFile>> {
    return guarded(async () => {
      const finished = new Map<string, FinishedFile>();
      const text = (await ignoring(['ENOENT'], readFile(this.journal, 'utf8'))) ?? '';
      for (const file of parseJournal(text) as Iterable<FinishedFile>) {
        if (await this.hasSize(file)) finished.set(file.path, file);
      }
      return finished;
    });
  }

  override noteFinished(files: readonly FinishedFile[]): Promise<void> {
    // The newline comes first too, so that a line cut short by a crash does not spoil the next.
    const lines = files.map((file) => `${JSON.stringify(file)}\n`).join('');
    return this.owned(async () => {
      await stat(this.own);
      await appendFile(this.journal, `\n${lines}`, { mode: workFileMode });
    });
  }

  override list(records: readonly FileRecord[]): Promise<void> {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const manifest = records.map(manifestLine).join('');
    this.folders.push(...records.filter(({ type }) => type === 'directory'));
    this.listDigest.update(lines);
    this.manifestDigest.update(manifest);
    return this.owned(async () => {
      await appendFile(join(this.payload, fileListFile), lines, { mode: workFileMode });
      await appendFile(join(this.payload, manifestFile), manifest, { mode: workFileMode });
    });
  }

  override async publish(draft: CommitDraft): Promise<Commit> {
    await this.list([]);
    const commit: Commit = {
      schema: 'provisioner-commit/1',
      ...draft,
      content: {
        ...draft.content,
        list_sha256: this.listDigest.digest('hex'),
        manifest_sha256: this.manifestDigest.digest('hex'),
      },
    };
    await this.owned(async () => {
      await this.closeFolders();
      for (const list of [fileListFile, manifestFile]) await chmod(join(this.payload, list), publishedFileMode);
      await this.flush();
      await writeDurably(join(this.payload, commitFile), `${JSON.stringify(commit, null, 2)}\n`);
      await chmod(join(this.payload, recordFolder), publishedFolderMode);
    });
    return (await this.moveIntoPlace()) ? commit : this.standing(commit);
  }

  override discard(): Promise<void> {
    return guarded(async () => {
      await removeTree(this.own);
      await ignoring(['ENOENT', 'ENOTEMPTY'], rmdir(dirname(this.own)));
    });
  }

  /** Makes the folders nothing was copied into, gives all their times and makes them read-only, the deepest first. */
  private async closeFolders(): Promise<void> {
    for (const { path } of this.folders) {
      await ignoring(['EEXIST'], mkdir(join(this.payload, path), workFolderMode));
    }
    for (const { path, mtime_ns } of this.folders.reverse()) {
      const folder = join(this.payload, path);
      const seconds = Number(mtime_ns) / 1e9;
      await utimes(folder, seconds, seconds);
      await chmod(folder, publishedFolderMode);
    }
  }

  /** Makes a folder inside the payload, never the payload itself: if that is gone, somebody has taken over. */
  private async makeFolder(folder: string): Promise<void> {
    if (folder === this.payload) {
      await stat(folder);
      return;
    }
    await this.makeFolder(dirname(folder));
    await ignoring(['EEXIST'], mkdir(folder, workFolderMode));
    await chmod(folder, workFolderMode);
  }

  /** One flush of the file system instead of one for each file; an error of any write shows here at the latest. */
  private async flush(): Promise<void> {
    try {
      await run('sync', ['-f', this.payload]);
    } catch (cause) {
      await stat(this.payload);
      throw new StorageFailure('The storage could not be flushed.', 'EIO', cause);
    }
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
    await guarded(async () => {
      await syncFolder(dirname(this.place));
      await chmod(this.place, publishedFolderMode);
    });
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

  private async hasSize({ path, size }: FinishedFile): Promise<boolean> {
    const stats = await ignoring(['ENOENT', 'ENOTDIR'], stat(join(this.payload, path)));
    return stats?.isFile() === true && stats.size === size;
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
