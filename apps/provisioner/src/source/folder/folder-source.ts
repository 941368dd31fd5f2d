import { closeSync, fstatSync, read as readCallback, type BigIntStats, type Dirent } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  foldersOf,
  SourceChangedError,
  SourceFailure,
  SourceSystem,
  type ListedSubmission,
  type NextBuffer,
  type PinnedFile,
  type SourceLocation,
  type SourcePlace,
  type WalkItem,
} from '../../model/source-system.js';
import type { FolderState } from '../../model/source-sight.js';
import { stateOfFolder } from '../../posix/folder-state.js';
import { checkIdentity, identityFile } from '../source-identity.js';
import { ThreadPool } from '../../concurrency/thread-pool.js';
import { DirectoryHandle } from './directory-handle.js';
import { versionOf } from './folder-entries.js';
import { containsFile, FolderWalk, type WalkThreads } from './folder.walk.js';

const read = promisify(readCallback);

const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
const denied = new Set(['EACCES', 'EPERM']);

/** Submissions that are listed at once, so that thousands of calls do not block the event loop. */
const listedAtOnce = 64;

/** The time after which an idle thread ends. */
const idleThreadMs = 5_000;

/** The memory for short-lived objects of a thread that walks. More memory does not make walks faster. */
const maxYoungGenerationSizeMb = 3;

/** The last listing of a folder of the source. */
interface ListedFolder {
  readonly state: string | null;
  readonly names: readonly string[];
}

/** A source system in a folder: `<root>/<reference>/<dataset_id>/...`. */
export class FolderSource extends SourceSystem {
  private listed: {
    readonly root: ListedFolder | null;
    readonly submissions: ReadonlyMap<string, ListedFolder>;
    readonly list: readonly ListedSubmission[];
  } = { root: null, submissions: new Map(), list: [] };

  private readonly threads: WalkThreads;

  /**
   * @param root the folder of all submissions
   * @param marker the name of the file that marks a delivery as complete
   * @param identity the text that the identity file must contain; undefined if none is expected
   * @param walkThreads the number of threads that walk deliveries
   */
  constructor(
    private readonly root: string,
    private readonly marker: string,
    private readonly identity?: string,
    walkThreads = 2,
  ) {
    super();
    const module = new URL('./walk.thread.js', import.meta.url);
    this.threads = new ThreadPool(module, walkThreads, idleThreadMs, { maxYoungGenerationSizeMb });
  }

  override async probe(): Promise<void> {
    await this.foldersIn(this.root);
    await this.checkIdentity();
  }

  override async foldersTo(place: SourcePlace): Promise<readonly FolderState[]> {
    const states: FolderState[] = [];
    let path = this.root;
    for (const name of ['', ...foldersOf(place)]) {
      path = join(path, name);
      const stats = await statIfExists(path, name === '');
      if (!stats?.isDirectory()) break;
      states.push({ inode: String(stats.ino), changed: String(stats.mtimeNs) });
    }
    return states;
  }

  override async list(): Promise<readonly ListedSubmission[]> {
    await this.checkIdentity();
    const previous = this.listed;
    const references = await this.listFolder(previous.root, this.root);
    const submissions = new Map<string, ListedFolder>();
    for (let from = 0; from < references.names.length; from += listedAtOnce) {
      await Promise.all(
        references.names.slice(from, from + listedAtOnce).map(async (reference) => {
          const known = previous.submissions.get(reference);
          submissions.set(reference, await this.listSubmission(known, join(this.root, reference)));
        }),
      );
    }
    const isSame =
      references === previous.root &&
      references.names.every((reference) => submissions.get(reference) === previous.submissions.get(reference));
    if (isSame) return previous.list;
    const list = references.names.map((reference) => {
      return { reference, datasets: submissions.get(reference)?.names ?? [] };
    });
    this.listed = { root: references, submissions, list };
    return list;
  }

  override async isMarked({ submission, id }: SourcePlace): Promise<boolean> {
    const holders = [[submission], [submission, id]].map((folders) => this.containsMarker(folders));
    return (await Promise.all(holders)).includes(true);
  }

  /** Compares the folders of the submission and of the dataset. A change below them is not detected. */
  override async topOf(place: SourcePlace): Promise<string> {
    const folders = [join(this.root, place.submission), join(this.root, ...foldersOf(place))];
    return (await Promise.all(folders.map(stateOfTop))).join(' ');
  }

  override async *walk(place: SourcePlace): AsyncGenerator<readonly WalkItem[]> {
    const rules = { marker: this.marker, filesOnly: place.kind === 'submission' };
    try {
      yield* new FolderWalk(this.threads, this.locationOf(place), rules).items();
    } catch (error) {
      throw failureOf(error);
    }
  }

  override async *open(place: SourcePlace, file: PinnedFile, next: NextBuffer): AsyncGenerator<Buffer> {
    try {
      yield* this.readPinned(place, file, next);
    } catch (error) {
      throw error instanceof SourceChangedError ? error : failureOf(error);
    }
  }

  override objectsOf(): null {
    return null;
  }

  override locate(place: SourcePlace): SourceLocation {
    return this.locationOf(place);
  }

  private locationOf(place: SourcePlace): SourceLocation {
    return { root: this.root, folders: foldersOf(place) };
  }

  private async *readPinned(
    place: SourcePlace,
    { path, size, version }: PinnedFile,
    next: NextBuffer,
  ): AsyncGenerator<Buffer> {
    const file = this.ifExists(() => this.openBelow(place, path));
    if (file === null) throw new SourceChangedError(path);
    const isAsWalked = (): boolean => {
      const stats = fstatSync(file, { bigint: true });
      return stats.isFile() && Number(stats.size) === size && versionOf(stats) === version;
    };
    try {
      if (!isAsWalked()) throw new SourceChangedError(path);
      for (let position = 0; position < size;) {
        const bytes = await next();
        const { bytesRead } = await read(file, bytes, 0, Math.min(bytes.length, size - position), position);
        if (bytesRead === 0) throw new SourceChangedError(path);
        position += bytesRead;
        // Checked before the last bytes are returned, so that no reader gets the whole of a file that changed.
        if (position === size && !isAsWalked()) throw new SourceChangedError(path);
        yield bytes.subarray(0, bytesRead);
      }
    } finally {
      closeSync(file);
    }
  }

  private openBelow(place: SourcePlace, path: string): number {
    const names = path.split('/');
    const folder = DirectoryHandle.descend(this.root, [...foldersOf(place), ...names.slice(0, -1)]);
    try {
      return folder.openFile(names.at(-1) ?? '');
    } finally {
      folder.close();
    }
  }

  private async containsMarker(folders: readonly string[]): Promise<boolean> {
    try {
      return await containsFile(this.threads, { root: this.root, folders }, this.marker);
    } catch (error) {
      if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw failureOf(error);
    }
  }

  /** Runs an operation on the source. @returns null if the path does not exist */
  private ifExists<T>(operation: () => T): T | null {
    try {
      return operation();
    } catch (error) {
      if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return null;
      throw failureOf(error);
    }
  }

  private checkIdentity(): Promise<void> {
    return checkIdentity(this.identity, async () => {
      try {
        return await readFile(join(this.root, identityFile), 'utf8');
      } catch (error) {
        if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return null;
        throw failureOf(error);
      }
    });
  }

  /** Lists the folders in a folder. @returns the known listing if the folder is unchanged */
  private async listFolder(known: ListedFolder | null | undefined, path: string): Promise<ListedFolder> {
    const state = await stateOfFolder(path);
    if (known && state !== null && known.state === state) return known;
    return { state, names: await this.foldersIn(path) };
  }

  /** Lists the folders in a submission. The list is empty if the submission was removed or may not be read. */
  private async listSubmission(known: ListedFolder | undefined, path: string): Promise<ListedFolder> {
    try {
      return await this.listFolder(known, path);
    } catch (error) {
      const { errno = '' } = error as SourceFailure;
      if (!absent.has(errno) && !denied.has(errno)) throw error;
      // No state: a change of permissions would not change the state, and the folder must be listed again.
      return { state: null, names: [] };
    }
  }

  private async foldersIn(path: string): Promise<string[]> {
    try {
      const entries: Dirent[] = await readdir(path, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map((entry) => entry.name)
        .sort();
    } catch (error) {
      throw failureOf(error);
    }
  }
}

async function stateOfTop(folder: string): Promise<string> {
  try {
    const { ino, mtimeNs, ctimeNs } = await lstat(folder, { bigint: true });
    return [ino, mtimeNs, ctimeNs].map(String).join(':');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
}

async function statIfExists(path: string, followsLinks: boolean): Promise<BigIntStats | null> {
  try {
    return await (followsLinks ? stat : lstat)(path, { bigint: true });
  } catch (error) {
    if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw failureOf(error);
  }
}

function failureOf(error: unknown): SourceFailure {
  if (error instanceof SourceFailure) return error;
  const { code, message = String(error) } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return new SourceFailure(`The source cannot be read: ${message}`, code, error);
}
