import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { failpoint } from '../../process/failpoint.js';
import { differByCaseOnly, type Subject, type SubjectKind } from '../../model/identifier.js';
import type { Problem } from '../../model/problem.js';
import type { SourceEntry } from '../../model/source-system.js';
import type { Commit, CommitHeads } from '../../model/commit.js';
import type { Leftover } from '../../model/leftover.js';
import {
  Storage,
  type FreeSpace,
  type ImportedCaseVariant,
  type StagedSize,
  type StoredEntry,
  type WithdrawalResult,
} from '../../model/storage.js';
import type { ManifestAlgorithm } from '../../settings/manifest-algorithms.js';
import { NothingToWithdrawError, StorageFailure } from '../../model/storage-failure.js';
import { CaseCollisionGuard } from '../case-collision-guard.js';
import { CommitIndex, readCommit } from './commit-index.js';
import { guarded, ignoring, publishedFolderMode, syncFolder, workFolderMode, writeDurably } from './durable-file.js';
import { fileListFile, Layout, manifestOf } from '../../model/layout.js';
import { digestOf } from './file-digest.js';
import { FlushFailures } from './flush-failures.js';
import { PosixStagingArea, finalize } from './posix-staging-area.js';
import { posixLeftovers } from './posix-leftovers.js';
import { probeFolder } from './posix-probe.js';
import { PosixRecords } from './posix-records.js';
import { PosixShard } from './posix-shard.js';
import { walkPublished } from './published.walk.js';
import { removeTree } from './remove-tree.js';
import { StagedSizes } from './staged-size.js';

/** The limits of Linux, less the length of the folders above a dataset. */
const maxNameBytes = 255;
const maxPathBytes = 3072;

const readBufferBytes = 1024 * 1024;

/** The least free space for new imports, because an import writes several records before it writes data. */
const leastFree = { bytes: 1024 * 1024, files: 16 };

/** One block of a file system. A full file system may still store fewer bytes together with the inode. */
const trialBytes = 4096;

/** Storage in a folder: local disk, NFS or Lustre. */
export class PosixStorage extends Storage {
  private readonly layout: Layout;
  private readonly flushFailures = new FlushFailures();
  private readonly stagedSizes = new StagedSizes();
  private readonly indices: Readonly<Record<SubjectKind, CommitIndex>>;
  private readonly caseGuard: CaseCollisionGuard;

  constructor(root: string) {
    super();
    this.layout = new Layout(root);
    this.indices = {
      dataset: new CommitIndex(this.layout.published('dataset'), this.layout.withdrawn('dataset')),
      submission: new CommitIndex(this.layout.published('submission'), this.layout.withdrawn('submission')),
    };
    this.caseGuard = new CaseCollisionGuard(new PosixRecords(root), {
      commitAt: (subject) => readCommit(this.layout.pathOf(subject)),
      headsLastRead: (kind) => this.indices[kind].lastRead,
      pathOf: (subject) => this.layout.displayPathOf(subject),
    });
  }

  override probe(): Promise<void> {
    return probeFolder(this.layout);
  }

  override async ping(): Promise<void> {
    await this.freeSpace();
  }

  override tryWriting(): Promise<void> {
    return guarded(async () => {
      const { bytes, files } = await this.freeSpace();
      if (bytes < leastFree.bytes || files < leastFree.files) {
        const free = `${String(bytes)} bytes and ${String(files)} files`;
        throw new StorageFailure(`The storage is full: only ${free} are free.`, 'ENOSPC');
      }
      const folder = join(this.layout.requests, 'probe');
      await mkdir(folder, { recursive: true, mode: workFolderMode });
      const path = join(folder, randomUUID());
      try {
        await writeFile(path, Buffer.alloc(trialBytes), { flag: 'wx' });
      } finally {
        await rm(path, { force: true });
      }
    });
  }

  override refusalOf(_subject: Subject, { path }: Pick<SourceEntry, 'path'>): Problem | undefined {
    const longest = Math.max(...path.split('/').map((name) => Buffer.byteLength(name)));
    if (longest <= maxNameBytes && Buffer.byteLength(path) <= maxPathBytes) return undefined;
    const allowed = `names of ${String(maxNameBytes)} bytes and paths of ${String(maxPathBytes)} bytes`;
    const message = `The path is too long: the storage allows ${allowed}. Shorten the names.`;
    return { code: 'name.too_long', path, message };
  }

  override commits(kind: SubjectKind): Promise<CommitHeads> {
    return guarded(() => this.indices[kind].all());
  }

  /** On a case-insensitive file system, the commit of another spelling is ignored. */
  override findCommit(subject: Subject): Promise<Commit | null> {
    return guarded(async () => {
      const commit = await readCommit(this.layout.pathOf(subject));
      return commit && differByCaseOnly(commit.id, subject.id) ? null : commit;
    });
  }

  override findCaseVariant(subject: Subject): Promise<ImportedCaseVariant | null> {
    return guarded(() => this.caseGuard.findCaseVariant(subject));
  }

  override pathOf(subject: Subject): string {
    return this.layout.displayPathOf(subject);
  }

  override openList(subject: Subject, list: 'ndjson' | ManifestAlgorithm): Readable {
    return createReadStream(join(this.layout.pathOf(subject), list === 'ndjson' ? fileListFile : manifestOf(list)));
  }

  override digestOfManifest(subject: Subject, algorithm: ManifestAlgorithm, signal: AbortSignal): Promise<string> {
    return digestOf(join(this.layout.pathOf(subject), manifestOf(algorithm)), signal);
  }

  override entriesOf(subject: Subject): AsyncIterable<StoredEntry> {
    return walkPublished(this.layout.pathOf(subject));
  }

  override folderOf(subject: Subject): string {
    return this.layout.pathOf(subject);
  }

  override openFile(subject: Subject, path: string): Readable {
    return createReadStream(join(this.layout.pathOf(subject), path), { highWaterMark: readBufferBytes });
  }

  override writeDocument(collection: Subject, name: string, text: string): Promise<void> {
    return guarded(async () => {
      const folder = this.layout.pathOf(collection);
      // The folder stays writable, because every worker may write documents at any time.
      const exists = await ignoring(
        ['ENOENT'],
        chmod(folder, workFolderMode).then(() => true),
      );
      if (!exists) return;
      // The temporary file is outside the folder, because a killed process would leave it among the documents.
      await mkdir(this.layout.stagedDocuments, { recursive: true, mode: workFolderMode });
      await ignoring(['ENOENT'], writeDurably(join(folder, name), text, this.layout.stagedDocuments));
    });
  }

  override freeSpace(): Promise<FreeSpace> {
    return guarded(async () => {
      // Before the first import, only the storage's root folder exists.
      const stats = (await ignoring(['ENOENT'], statfs(this.layout.data))) ?? (await statfs(dirname(this.layout.data)));
      const { bavail, blocks, bsize, ffree, files } = stats;
      return { bytes: bavail * bsize, capacity: blocks * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree };
    });
  }

  override stagedSize(subject: Subject, fingerprint: string): Promise<StagedSize> {
    return guarded(() => this.stagedSizes.of(this.layout.staging(subject), fingerprint));
  }

  override openAttempt(
    subject: Subject,
    token: string,
    fingerprint: string,
    manifests: readonly ManifestAlgorithm[] = [],
  ): Promise<PosixStagingArea> {
    return guarded(async () => {
      const staging = this.layout.staging(subject);
      const own = join(staging, token);
      await this.caseGuard.admit(subject);
      await mkdir(staging, { recursive: true, mode: workFolderMode });
      await mkdir(this.layout.published(subject.kind), { recursive: true, mode: 0o755 });
      await this.claimLeftovers(staging, own);
      await this.removeMovedAside();
      const folders = { own, published: this.layout.pathOf(subject), fingerprint };
      return PosixStagingArea.open(folders, this.flushFailures, manifests);
    });
  }

  override claimShard(subject: Subject, shard: number, token: string): Promise<PosixShard | null> {
    return guarded(async () => {
      const staging = this.layout.staging(subject);
      for (const attempt of (await ignoring(['ENOENT'], readdir(staging))) ?? []) {
        const claimed = await PosixShard.claim(join(staging, attempt), shard, token, this.flushFailures);
        if (claimed) return claimed;
      }
      return null;
    });
  }

  override async completePublication(subject: Subject): Promise<Commit | null> {
    const commit = await this.findCommit(subject);
    if (commit) await guarded(() => finalize(this.layout.pathOf(subject)));
    return commit;
  }

  /** Withdraws with one rename. A second call cannot repeat the rename, which never replaces a folder with content. */
  override withdraw(subject: Subject, importId: string, token: string): Promise<WithdrawalResult> {
    return guarded(async () => {
      const published = this.layout.pathOf(subject);
      const aside = this.layout.withdrawnPathOf(subject, token);
      await mkdir(dirname(aside), { recursive: true, mode: workFolderMode });
      if ((await readCommit(published))?.import_id === importId) {
        // A folder must be writable to be moved to another parent.
        await chmod(published, workFolderMode);
        await rename(published, aside);
      }
      const commit = await readCommit(aside);
      if (!commit) throw new NothingToWithdrawError(subject.id);
      await chmod(aside, publishedFolderMode);
      await syncFolder(dirname(published));
      await syncFolder(dirname(aside));
      return { path: this.layout.withdrawnDisplayPathOf(subject, token), commit };
    });
  }

  /** Moves the folder aside in one step, so that a killed purge leaves either the whole dataset or a leftover. */
  override purge(subject: Subject, token: string): Promise<void> {
    return guarded(async () => {
      const withdrawn = this.layout.withdrawnPathOf(subject, token);
      // A folder must be writable to be moved to another parent.
      await ignoring(['ENOENT'], chmod(withdrawn, workFolderMode));
      await this.moveAside(withdrawn);
      await ignoring(['ENOENT'], syncFolder(dirname(withdrawn)));
      await this.removeMovedAside();
    });
  }

  override leftovers(): AsyncIterable<Leftover> {
    return posixLeftovers(this.layout, (subject) => this.discard(subject));
  }

  override discard(subject: Subject): Promise<void> {
    return guarded(async () => {
      const staging = this.layout.staging(subject);
      for (const name of (await ignoring(['ENOENT'], readdir(staging))) ?? [])
        await this.moveAside(join(staging, name));
      await this.removeMovedAside();
      await ignoring(['ENOENT', 'ENOTEMPTY'], rmdir(staging));
    });
  }

  /**
   * Takes over the folder of an earlier attempt by one rename, so that the earlier attempt no longer finds its paths. If
   * several folders exist, the first is taken over and the others are removed.
   */
  private async claimLeftovers(staging: string, own: string): Promise<void> {
    const leftovers = (await readdir(staging)).map((name) => join(staging, name)).filter((path) => path !== own);
    let claimed = false;
    for (const leftover of leftovers) {
      if (claimed) await this.moveAside(leftover);
      else claimed = await isMoved(leftover, own);
    }
  }

  /**
   * Moves a staging folder to the folder of removed ones. An attempt that still uses the folder no longer finds its
   * paths. A process that is paused here and continues later does not remove the folder of a new attempt. Every process
   * may remove a moved folder.
   */
  private async moveAside(folder: string): Promise<void> {
    const aside = this.layout.removed;
    await mkdir(aside, { recursive: true, mode: workFolderMode });
    await isMoved(folder, join(aside, randomUUID()));
    failpoint('amid_discard');
  }

  private async removeMovedAside(): Promise<void> {
    const aside = this.layout.removed;
    for (const name of (await ignoring(['ENOENT'], readdir(aside))) ?? []) await removeTree(join(aside, name));
  }
}

/** Renames a folder. @returns whether the folder existed */
async function isMoved(from: string, to: string): Promise<boolean> {
  return (
    (await ignoring(
      ['ENOENT'],
      rename(from, to).then(() => true),
    )) ?? false
  );
}
