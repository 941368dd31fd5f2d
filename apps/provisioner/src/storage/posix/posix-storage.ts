import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import type { Subject, SubjectKind } from '../../source/identifier.js';
import type { Problem } from '../../source/problem.js';
import type { Commit } from '../commit.js';
import { Storage, type FreeSpace } from '../storage.js';
import { StorageFailure } from '../storage-failure.js';
import { CommitIndex, readCommit } from './commit-index.js';
import { createExclusively, guarded, ignoring, isErrno, workFolderMode } from './durable-file.js';
import { fileListFile, Layout, manifestFile, recordFolder } from '../layout.js';
import { PosixAttempt } from './posix-attempt.js';
import { removeTree } from './remove-tree.js';

/** What Linux allows, less room for the folders above a dataset. */
const maxNameBytes = 255;
const maxPathBytes = 3072;

const readBufferBytes = 1024 * 1024;

/** Storage in a folder: local disk, NFS or Lustre. */
export class PosixStorage extends Storage {
  private readonly layout: Layout;
  private readonly indices: Readonly<Record<SubjectKind, CommitIndex>>;

  constructor(root: string) {
    super();
    this.layout = new Layout(root);
    this.indices = {
      dataset: new CommitIndex(this.layout.published('dataset')),
      submission: new CommitIndex(this.layout.published('submission')),
    };
  }

  override async probe(): Promise<void> {
    try {
      await this.probeExclusiveCreation();
      await this.probeRename();
    } catch (error) {
      if (error instanceof StorageFailure) throw error;
      const { code, message } = error as NodeJS.ErrnoException;
      throw new StorageFailure(message, code, error);
    }
  }

  override async ping(): Promise<void> {
    await this.freeSpace();
  }

  override refusalOf(_subject: Subject, path: string): Problem | undefined {
    const longest = Math.max(...path.split('/').map((name) => Buffer.byteLength(name)));
    if (longest <= maxNameBytes && Buffer.byteLength(path) <= maxPathBytes) return undefined;
    const message = `The storage keeps names of ${String(maxNameBytes)} and paths of ${String(maxPathBytes)} bytes.`;
    return { code: 'name.too_long', path, message };
  }

  override commits(kind: SubjectKind): Promise<ReadonlyMap<string, Commit>> {
    return guarded(() => this.indices[kind].all());
  }

  override findCommit(subject: Subject): Promise<Commit | null> {
    return guarded(() => readCommit(this.layout.place(subject)));
  }

  override pathOf(subject: Subject): string {
    return this.layout.shown(subject);
  }

  override openList(subject: Subject, form: 'ndjson' | 'sha256sum'): Readable {
    return createReadStream(join(this.layout.place(subject), form === 'ndjson' ? fileListFile : manifestFile));
  }

  override filesOf(subject: Subject): Promise<readonly string[]> {
    return guarded(async () => {
      const place = this.layout.place(subject);
      const entries = await readdir(place, { withFileTypes: true, recursive: true });
      return entries
        .filter((entry) => !entry.isDirectory())
        .map((entry) => relative(place, join(entry.parentPath, entry.name)))
        .filter((path) => !path.startsWith(`${recordFolder}/`));
    });
  }

  override openFile(subject: Subject, path: string): Readable {
    return createReadStream(join(this.layout.place(subject), path), { highWaterMark: readBufferBytes });
  }

  override freeSpace(): Promise<FreeSpace> {
    return guarded(async () => {
      const { bavail, bsize, ffree, files } = await statfs(this.layout.data);
      return { bytes: bavail * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree };
    });
  }

  override openAttempt(subject: Subject, token: string, fingerprint: string): Promise<PosixAttempt> {
    return guarded(async () => {
      const staging = this.layout.staging(subject);
      const own = join(staging, token);
      await mkdir(staging, { recursive: true, mode: workFolderMode });
      await mkdir(this.layout.published(subject.kind), { recursive: true, mode: 0o755 });
      await claimLeftovers(staging, own);
      return PosixAttempt.open(own, this.layout.place(subject), fingerprint);
    });
  }

  override discard(subject: Subject): Promise<void> {
    return guarded(() => removeTree(this.layout.staging(subject)));
  }

  private async probeExclusiveCreation(): Promise<void> {
    const folder = join(this.layout.requests, 'probe');
    const path = join(folder, randomUUID());
    await mkdir(folder, { recursive: true, mode: workFolderMode });
    const made = await Promise.all([createExclusively(path, '1'), createExclusively(path, '2')]);
    await rm(path);
    if (made.filter(Boolean).length !== 1) {
      throw new StorageFailure('two callers can create the same file there.', undefined);
    }
  }

  private async probeRename(): Promise<void> {
    const staged = join(this.layout.data, '.staging', `probe-${randomUUID()}`);
    await mkdir(this.layout.published('dataset'), { recursive: true, mode: 0o755 });
    await mkdir(this.layout.published('submission'), { recursive: true, mode: 0o755 });
    await mkdir(staged, { recursive: true, mode: workFolderMode });
    const devices = await Promise.all(
      [staged, this.layout.published('dataset'), this.layout.published('submission')].map((path) => stat(path)),
    );
    const target = join(this.layout.data, '.staging', `probe-${randomUUID()}`);
    await mkdir(join(target, 'full'), { recursive: true, mode: workFolderMode });
    const refused = await rename(staged, target).then(
      () => false,
      (error: unknown) => isErrno(error, 'ENOTEMPTY', 'EEXIST'),
    );
    await Promise.all([rm(staged, { recursive: true, force: true }), rm(target, { recursive: true })]);
    if (new Set(devices.map(({ dev }) => dev)).size !== 1) {
      throw new StorageFailure('data/.staging, data/raw and data/projects must be on one file system.', 'EXDEV');
    }
    if (!refused) {
      throw new StorageFailure('a folder can be renamed onto one that is not empty.', undefined);
    }
  }
}

/**
 * Makes what an earlier attempt has left this attempt's own, by one rename: whoever still works there finds its paths
 * gone. Where several are left the first is taken and the others are removed.
 */
async function claimLeftovers(staging: string, own: string): Promise<void> {
  const leftovers = (await readdir(staging)).map((name) => join(staging, name)).filter((path) => path !== own);
  let claimed = false;
  for (const leftover of leftovers) {
    if (claimed) await removeTree(leftover);
    else
      claimed =
        (await ignoring(
          ['ENOENT'],
          rename(leftover, own).then(() => true),
        )) ?? false;
  }
}
