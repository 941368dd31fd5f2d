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
import { Storage, type FreeSpace, type ImportedCaseVariant, type StoredEntry, type WithdrawalResult } from '../../model/storage.js';
import { NothingToWithdrawError, StorageFailure } from '../../model/storage-failure.js';
import { CaseCollisionGuard } from '../case-collision-guard.js';
import { CommitIndex, readCommit } from './commit-index.js';
import { guarded, ignoring, publishedFolderMode, syncFolder, workFolderMode, writeDurably } from './durable-file.js';
import { fileListFile, Layout, manifestFile } from '../../model/layout.js';
import { digestOf } from './file-digest.js';
import { FlushRecord } from './flush-failures.js';
import { PosixAttempt, settle } from './posix-staging-area.js';
import { posixLeftovers } from './posix-leftovers.js';
import { probeFolder } from './posix-probe.js';
import { PosixRecords } from './posix-records.js';
import { walkPublished } from './published.walk.js';
import { removeTree } from './remove-tree.js';

/** What Linux allows, less room for the folders above a dataset. */
const maxNameBytes = 255;
const maxPathBytes = 3072;

const readBufferBytes = 1024 * 1024;

/** Less room than this counts as none: an import writes several records before it writes data. */
const leastFree = { bytes: 1024 * 1024, files: 16 };

/** One block of a file system: fewer bytes may find room beside a name. */
const trialBytes = 4096;

/** Storage in a folder: local disk, NFS or Lustre. */
export class PosixStorage extends Storage {
  private readonly layout: Layout;
  private readonly flushes = new FlushRecord();
  private readonly indices: Readonly<Record<SubjectKind, CommitIndex>>;
  private readonly twins: CaseCollisionGuard;

  constructor(root: string) {
    super();
    this.layout = new Layout(root);
    this.indices = {
      dataset: new CommitIndex(this.layout.published('dataset'), this.layout.withdrawn('dataset')),
      submission: new CommitIndex(this.layout.published('submission'), this.layout.withdrawn('submission')),
    };
    this.twins = new CaseCollisionGuard(new PosixRecords(root), {
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
        throw new StorageFailure(`The storage has ${String(bytes)} bytes and ${String(files)} files left.`, 'ENOSPC');
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
    const message = `The storage keeps names of ${String(maxNameBytes)} and paths of ${String(maxPathBytes)} bytes.`;
    return { code: 'name.too_long', path, message };
  }

  override commits(kind: SubjectKind): Promise<CommitHeads> {
    return guarded(() => this.indices[kind].all());
  }

  /** Where case is not distinguished another's may be found there: that is nothing of this subject's. */
  override findCommit(subject: Subject): Promise<Commit | null> {
    return guarded(async () => {
      const commit = await readCommit(this.layout.pathOf(subject));
      return commit && differByCaseOnly(commit.id, subject.id) ? null : commit;
    });
  }

  override findCaseVariant(subject: Subject): Promise<ImportedCaseVariant | null> {
    return guarded(() => this.twins.findCaseVariant(subject));
  }

  override pathOf(subject: Subject): string {
    return this.layout.displayPathOf(subject);
  }

  override openList(subject: Subject, form: 'ndjson' | 'sha256sum'): Readable {
    return createReadStream(join(this.layout.pathOf(subject), form === 'ndjson' ? fileListFile : manifestFile));
  }

  override digestOfManifest(subject: Subject, signal: AbortSignal): Promise<string> {
    return digestOf(join(this.layout.pathOf(subject), manifestFile), signal);
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
      const place = this.layout.pathOf(collection);
      // Not read-only from then on, for any worker may write there at any time.
      const isThere = await ignoring(
        ['ENOENT'],
        chmod(place, workFolderMode).then(() => true),
      );
      if (!isThere) return;
      // Not beside it at first: what a killed process leaves there would be taken for a document.
      await mkdir(this.layout.stagedDocuments, { recursive: true, mode: workFolderMode });
      await ignoring(['ENOENT'], writeDurably(join(place, name), text, this.layout.stagedDocuments));
    });
  }

  override freeSpace(): Promise<FreeSpace> {
    return guarded(async () => {
      // Nothing was ever imported: the folder that an operator has made will hold the data.
      const stats = (await ignoring(['ENOENT'], statfs(this.layout.data))) ?? (await statfs(dirname(this.layout.data)));
      const { bavail, blocks, bsize, ffree, files } = stats;
      return { bytes: bavail * bsize, capacity: blocks * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree };
    });
  }

  override openAttempt(subject: Subject, token: string, fingerprint: string): Promise<PosixAttempt> {
    return guarded(async () => {
      const staging = this.layout.staging(subject);
      const own = join(staging, token);
      await this.twins.admit(subject);
      await mkdir(staging, { recursive: true, mode: workFolderMode });
      await mkdir(this.layout.published(subject.kind), { recursive: true, mode: 0o755 });
      await this.claimLeftovers(staging, own);
      await this.removeMovedAside();
      return PosixAttempt.open({ own, place: this.layout.pathOf(subject), fingerprint }, this.flushes);
    });
  }

  override async completePublication(subject: Subject): Promise<Commit | null> {
    const commit = await this.findCommit(subject);
    if (commit) await guarded(() => settle(this.layout.pathOf(subject)));
    return commit;
  }

  /** One rename, which a second withdrawal cannot repeat: it never replaces a folder that holds something. */
  override withdraw(subject: Subject, importId: string, token: string): Promise<WithdrawalResult> {
    return guarded(async () => {
      const place = this.layout.pathOf(subject);
      const aside = this.layout.withdrawnPathOf(subject, token);
      await mkdir(dirname(aside), { recursive: true, mode: workFolderMode });
      if ((await readCommit(place))?.import_id === importId) {
        // A folder can only be given another parent while it is writable.
        await chmod(place, workFolderMode);
        await rename(place, aside);
      }
      const commit = await readCommit(aside);
      if (!commit) throw new NothingToWithdrawError(subject.id);
      await chmod(aside, publishedFolderMode);
      await syncFolder(dirname(place));
      await syncFolder(dirname(aside));
      return { path: this.layout.withdrawnDisplayPathOf(subject, token), commit };
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
   * Makes what an earlier attempt has left this attempt's own, by one rename: whoever still works there finds its paths
   * gone. Where several are left the first is taken and the others are removed.
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
   * The first step of removing a folder in staging: whoever still works there finds its paths gone at once, and a
   * process that is halted here and goes on later removes nobody else's. What was moved aside is anybody's to remove.
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

/** Renames a folder; says whether it was there. */
async function isMoved(from: string, to: string): Promise<boolean> {
  return (
    (await ignoring(
      ['ENOENT'],
      rename(from, to).then(() => true),
    )) ?? false
  );
}
