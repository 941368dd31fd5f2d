import { createReadStream } from 'node:fs';
import { chmod, lutimes, mkdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failpoint } from '../../process/failpoint.js';
import type { Commit, CommitDraft, FileRecord } from '../../model/commit.js';
import { commitFile, fileListFile, recordFolder } from '../../model/layout.js';
import { linesIn } from '../lists.js';
import { Manifests } from '../manifests.js';
import type { Attempt } from '../../model/attempt.js';
import type { FileBatch, FileDigests } from '../../model/workspace.js';
import { ForeignContentError, StorageFailure } from '../../model/storage-failure.js';
import type { ManifestAlgorithm } from '../../settings/manifest-algorithms.js';
import { readCommit } from './commit-index.js';
import {
  guarded,
  ignoring,
  publishedFileMode,
  publishedFolderMode,
  syncFolder,
  workFolderMode,
  writeDurably,
} from './durable-file.js';
import type { FlushFailures } from './flush-failures.js';
import { ListFile } from './list-file.js';
import { PosixShards } from './posix-shards.js';
import { PosixWorkspace } from './posix-workspace.js';
import { removeTree } from './remove-tree.js';
import { closedShardsFolder, shardsFolder } from './shard-folders.js';
import { fingerprintFile } from './staged-size.js';

/**
 * The staging folder of one attempt: the payload, which the publication renames to the target folder, the journal, and the
 * shards. The name of the folder is the token of the attempt.
 */
export class PosixStagingArea extends PosixWorkspace implements Attempt {
  readonly shards: PosixShards;
  private readonly fileList: ListFile;
  private readonly manifests: Manifests;

  private constructor(
    folder: string,
    private readonly publishedFolder: string,
    flushFailures: FlushFailures,
    manifestAlgorithms: readonly ManifestAlgorithm[],
  ) {
    super(folder, flushFailures, manifestAlgorithms);
    this.fileList = new ListFile(join(this.payload, fileListFile));
    this.manifests = new Manifests(manifestAlgorithms, (path) => new ListFile(join(this.payload, path)));
    this.shards = new PosixShards(folder, manifestAlgorithms, () => this.isJournalEmpty);
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
      // Supersedes workers of shards, which would otherwise add files during the removal.
      await ignoring(['ENOENT'], rename(join(folder, shardsFolder), join(folder, closedShardsFolder)));
      await removeTree(folder);
      await mkdir(folder, { mode: workFolderMode });
      await writeFile(join(folder, fingerprintFile), fingerprint);
    }
    await ignoring(['EEXIST'], mkdir(payload, { mode: workFolderMode }));
    await ignoring(['EEXIST'], mkdir(this.target.notes, { mode: workFolderMode }));
    await removeTree(join(payload, recordFolder));
    await mkdir(join(payload, recordFolder), { mode: workFolderMode });
    await this.openJournal();
  }

  /** Finds a batch in the journal of the attempt or of a shard. */
  override async findFinished(batch: FileBatch): Promise<readonly FileDigests[] | null> {
    const own = await super.findFinished(batch);
    if (own) return own;
    return guarded(async () => {
      const entry = await this.shards.take(batch);
      return entry && (entry.isFresh || (await this.areIntact(batch, entry))) ? entry.digests : null;
    });
  }

  override list(records: readonly FileRecord[]): Promise<void> {
    return this.whileOwned(async () => {
      await stat(this.payload);
      for (const record of records) if (record.type !== 'file') await this.createEntry(record);
      await this.fileList.add(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      await this.manifests.add(records);
    });
  }

  async publish(draft: CommitDraft): Promise<Commit> {
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
}

/** Makes the rename of a published folder durable and the folder read-only. */
export async function finalize(folder: string): Promise<void> {
  await syncFolder(dirname(folder));
  await chmod(folder, publishedFolderMode);
}
