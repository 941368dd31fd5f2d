import { execFile } from 'node:child_process';
import { chmod, mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;

/** A small dedicated file system in memory, which a test fills. Requires root. */
export class SmallDisk {
  /** Folder in which the file system is mounted. Every account can enter and write it. */
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Mounts a file system of the given size in MiB. */
  static async make(mebibytes: number): Promise<SmallDisk> {
    const root = await mkdtemp(join(tmpdir(), 'small-disk-'));
    await chmod(root, 0o755);
    await run('mount', ['-t', 'tmpfs', '-o', `size=${String(mebibytes)}m,mode=1777`, 'none', root]);
    return new SmallDisk(root);
  }

  /** Fills all free space. */
  async fill(): Promise<void> {
    const file = await open(this.filler, 'a');
    try {
      for (const size of [mebibyte, 4096]) await writeUntilFull(file, Buffer.alloc(size));
    } finally {
      await file.close();
    }
  }

  /** Frees the space that {@link fill} has filled. */
  async empty(): Promise<void> {
    await rm(this.filler, { force: true });
  }

  /** Makes the file system read-only, or writable again. */
  async remount(mode: 'ro' | 'rw'): Promise<void> {
    await run('mount', ['-o', `remount,${mode}`, this.root]);
  }

  /** Unmounts and removes the file system, even while a process has a file open there. */
  async remove(): Promise<void> {
    await run('umount', ['-l', this.root]);
    await rmdir(this.root);
  }

  private get filler(): string {
    return join(this.root, 'filler');
  }
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<void> {
  try {
    for (;;) await file.write(bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
