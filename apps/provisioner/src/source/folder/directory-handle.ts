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
 * A directory held open. Names are resolved below the handle and no link is ever followed, so swapping a parent for a
 * link while we walk leads nowhere: `/proc/self/fd/<n>/<name>` is what `openat` does.
 */
export class DirectoryHandle {
  private readonly prefix: string;

  private constructor(private readonly descriptor: number) {
    this.prefix = `/proc/self/fd/${String(descriptor)}/`;
  }

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

  /** Returns the names in it, in no order, after any number of pauses in which the event loop may turn. */
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
