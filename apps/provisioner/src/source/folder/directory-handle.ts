import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, type BigIntStats } from 'node:fs';

const openDirectory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * A directory held open. Names are resolved below the handle and no link is ever followed, so swapping a parent for a
 * link while we walk leads nowhere: `/proc/self/fd/<n>/<name>` is what `openat` does.
 */
export class DirectoryHandle {
  private constructor(private readonly descriptor: number) {}

  /** @param path trusted: the root an operator has set */
  static open(path: string): DirectoryHandle {
    return new DirectoryHandle(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
  }

  /** Opens the folder at the end of a chain of names; what lies between is closed again. */
  static descend(root: string, folders: readonly string[]): DirectoryHandle {
    let handle = DirectoryHandle.open(root);
    for (const name of folders) {
      try {
        const next = handle.enter(name);
        handle.close();
        handle = next;
      } catch (error) {
        handle.close();
        throw error;
      }
    }
    return handle;
  }

  /** The folder of that name; a link of that name fails with ELOOP or ENOTDIR. */
  enter(name: string): DirectoryHandle {
    return new DirectoryHandle(openSync(this.pathOf(name), openDirectory));
  }

  /** Names sorted by their bytes, a character for each byte: a million take a tenth of what buffers would. */
  names(): string[] {
    return readdirSync(this.pathOf('.'), { encoding: 'latin1' }).sort();
  }

  stat(name: string): BigIntStats {
    return lstatSync(this.pathOf(name), { bigint: true });
  }

  /** Where the symbolic link of that name leads, a character for each byte. */
  linkTarget(name: string): string {
    return readlinkSync(this.pathOf(name), 'latin1');
  }

  /** A descriptor of a regular file, to be closed by the caller; links fail with ELOOP, pipes never block. */
  openFile(name: string): number {
    return openSync(this.pathOf(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private pathOf(name: string): string {
    return `/proc/self/fd/${String(this.descriptor)}/${name}`;
  }
}
