import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const imageBytes = 400 * 1024 * 1024;

/** A separate file system in a mounted image. Requires root. */
export class MountedImage {
  private constructor(
    private readonly home: string,
    /** The top folder of the file system. */
    readonly root: string,
  ) {}

  /** Returns whether this machine can create a file system of a kind. If not, its tests are reported as skipped. */
  static isPossible(kind: 'xfs' | 'btrfs'): Promise<boolean> {
    return run('sh', ['-c', `command -v mkfs.${kind}`]).then(
      () => true,
      () => false,
    );
  }

  /** Creates and mounts a file system. @param options of the mount */
  static async make(kind: 'xfs' | 'btrfs', ...options: readonly string[]): Promise<MountedImage> {
    const home = await mkdtemp(join(tmpdir(), 'mounted-image-'));
    const [image, root] = [join(home, 'image'), join(home, 'mounted')];
    await mkdir(root);
    await writeFile(image, '');
    await truncate(image, imageBytes);
    await run(`mkfs.${kind}`, ['-q', image]);
    await run('mount', ['-o', ['loop', ...options].join(','), image, root]);
    return new MountedImage(home, root);
  }

  /** Flushes the file system and returns its used bytes. */
  async used(): Promise<number> {
    await run('sync', ['-f', this.root]);
    const { blocks, bfree, bsize } = await statfs(this.root);
    return (blocks - bfree) * bsize;
  }

  async remove(): Promise<void> {
    // A thread that walked the source keeps its folders open for a second.
    await run('umount', ['-l', this.root]);
    await rm(this.home, { recursive: true });
  }
}
