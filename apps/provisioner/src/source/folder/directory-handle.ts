import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, type BigIntStats } from 'node:fs';

const openDirectory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * An open directory. Names are resolved in this directory, as by `openat`, and links are not followed. A parent that is
 * replaced by a link during a walk therefore has no effect.
 */
export class DirectoryHandle {
  private readonly descriptor: number;
  private readonly prefix: string;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
    this.prefix = `/proc/self/fd/${String(descriptor)}/`;
  }

  /** Opens a directory, and follows links. @param path a trusted path, such as the root of the source */
  static open(path: string): DirectoryHandle {
    return new DirectoryHandle(openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
  }

  /** Opens the last of a chain of folders, and closes the others. */
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

  /** Opens the folder of that name. @throws ELOOP or ENOTDIR if the name is a link */
  enter(name: string): DirectoryHandle {
    return new DirectoryHandle(openSync(this.pathOf(name), openDirectory));
  }

  /** Returns the names in the folder in the order of their bytes, one character for each byte. */
  names(): string[] {
    return readdirSync(this.pathOf('.'), 'latin1').sort();
  }

  stat(name: string): BigIntStats {
    return lstatSync(this.pathOf(name), { bigint: true });
  }

  /** Returns the target of the symbolic link of that name, one character for each byte. */
  linkTarget(name: string): string {
    return readlinkSync(this.pathOf(name), 'latin1');
  }

  /** Opens a file without blocking on a pipe. The caller closes the descriptor. @throws ELOOP if the name is a link */
  openFile(name: string): number {
    return openSync(this.pathOf(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  }

  close(): void {
    closeSync(this.descriptor);
  }

  private pathOf(name: string): string {
    return this.prefix + name;
  }
}
