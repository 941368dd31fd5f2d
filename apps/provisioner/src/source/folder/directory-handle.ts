import {
  closeSync,
  constants,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readlinkSync,
  type BigIntStats,
} from 'node:fs';

const openDirectory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

const namesAtOnce = 64;

/** Names that are read in one turn of the event loop: a few milliseconds. */
const namesPerTurn = 4096;

/**
 * An open directory. Names are resolved in this directory, as by `openat`, and links are not followed. A parent that is
 * replaced by a link during a walk therefore has no effect.
 */
export class DirectoryHandle {
  private readonly prefix: string;

  private constructor(private readonly descriptor: number) {
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

  /** Returns the names in the folder, in any order, one character for each byte. Yields null where the event loop may turn. */
  *names(): Generator<null, string[]> {
    try {
      return yield* this.readNames();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // If the file system reports no types, `opendir` inspects each entry, and decodes the name as UTF-8 for that.
      return readdirSync(this.pathOf('.'), 'latin1');
    }
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

  private *readNames(): Generator<null, string[]> {
    const names: string[] = [];
    const folder = opendirSync(this.pathOf('.'), { encoding: 'latin1', bufferSize: namesAtOnce });
    try {
      for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
        names.push(entry.name);
        if (names.length % namesPerTurn === 0) yield null;
      }
    } finally {
      folder.closeSync();
    }
    return names;
  }

  private pathOf(name: string): string {
    return this.prefix + name;
  }
}
