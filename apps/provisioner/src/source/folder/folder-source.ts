import { closeSync, fstatSync, read as readCallback, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
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
import { stateOfFolder } from '../../posix/folder-state.js';
import { DirectoryHandle } from './directory-handle.js';
import { unlessDenied, versionOf, walkFolder } from './folder.walk.js';

const read = promisify(readCallback);

const absent = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);
const denied = new Set(['EACCES', 'EPERM']);

/** Submissions that are listed at once: the calls for thousands of them would hold the event loop in one turn. */
const listedAtOnce = 64;

/** A folder of the source when it was last listed. */
interface ListedFolder {
  readonly state: string | null;
  readonly names: readonly string[];
}

/** A source system that is a folder: `<root>/<reference>/<dataset_id>/...` (provisioner interface, section 6). */
export class FolderSource extends SourceSystem {
  private listed: {
    readonly root: ListedFolder | null;
    readonly submissions: ReadonlyMap<string, ListedFolder>;
    readonly list: readonly ListedSubmission[];
  } = { root: null, submissions: new Map(), list: [] };

  /**
   * @param root the folder of all submissions
   * @param marker name of the file that says a delivery is complete
   */
  constructor(
    private readonly root: string,
    private readonly marker: string,
  ) {
    super();
  }

  override async probe(): Promise<void> {
    await this.foldersIn(this.root);
  }

  override async list(): Promise<readonly ListedSubmission[]> {
    const former = this.listed;
    const references = await this.listFolder(former.root, this.root);
    const submissions = new Map<string, ListedFolder>();
    for (let from = 0; from < references.names.length; from += listedAtOnce) {
      await Promise.all(
        references.names.slice(from, from + listedAtOnce).map(async (reference) => {
          const known = former.submissions.get(reference);
          submissions.set(reference, await this.listSubmission(known, join(this.root, reference)));
        }),
      );
    }
    const isSame =
      references === former.root &&
      references.names.every((reference) => submissions.get(reference) === former.submissions.get(reference));
    if (isSame) return former.list;
    const list = references.names.map((reference) => {
      return { reference, datasets: submissions.get(reference)?.names ?? [] };
    });
    this.listed = { root: references, submissions, list };
    return list;
  }

  override isMarked({ submission, id }: SourcePlace): Promise<boolean> {
    return Promise.resolve([[submission], [submission, id]].some((folders) => this.holdsMarker(folders)));
  }

  override async *walk(place: SourcePlace): AsyncGenerator<readonly WalkItem[]> {
    const { seen: handle, problem } = this.ifThere(() => unlessDenied('', () => this.enter(place))) ?? {};
    if (problem) yield [{ problem }];
    if (!handle) return;
    try {
      yield* walkFolder(handle, { marker: this.marker, filesOnly: place.kind === 'submission' });
    } catch (error) {
      throw failureOf(error);
    } finally {
      handle.close();
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
    return { root: this.root, folders: foldersOf(place) };
  }

  private async *readPinned(
    place: SourcePlace,
    { path, size, version }: PinnedFile,
    next: NextBuffer,
  ): AsyncGenerator<Buffer> {
    const file = this.ifThere(() => this.openBelow(place, path));
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
        // Before the last bytes are handed out, so that nobody has the whole of a file that changed.
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

  private enter(place: SourcePlace): DirectoryHandle {
    return DirectoryHandle.descend(this.root, foldersOf(place));
  }

  private holdsMarker(folders: readonly string[]): boolean {
    const look = (): boolean => {
      const folder = DirectoryHandle.descend(this.root, folders);
      try {
        return folder.stat(this.marker).isFile();
      } finally {
        folder.close();
      }
    };
    return this.ifThere(() => unlessDenied('', look).seen ?? false) ?? false;
  }

  /** What a look at the source finds; null when it is not there. */
  private ifThere<T>(look: () => T): T | null {
    try {
      return look();
    } catch (error) {
      if (absent.has((error as NodeJS.ErrnoException).code ?? '')) return null;
      throw failureOf(error);
    }
  }

  /** A folder's folders: those that are known, while it is as it was. */
  private async listFolder(known: ListedFolder | null | undefined, path: string): Promise<ListedFolder> {
    const state = await stateOfFolder(path);
    if (known && state !== null && known.state === state) return known;
    return { state, names: await this.foldersIn(path) };
  }

  /** The same of a submission, which may be gone since it was listed; one that may not be read shows nothing. */
  private async listSubmission(known: ListedFolder | undefined, path: string): Promise<ListedFolder> {
    try {
      return await this.listFolder(known, path);
    } catch (error) {
      const { errno = '' } = error as SourceFailure;
      if (!absent.has(errno) && !denied.has(errno)) throw error;
      // Not known to stay so: its permissions are no part of its state.
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

function failureOf(error: unknown): SourceFailure {
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof SourceFailure
    ? error
    : new SourceFailure(`The source cannot be read: ${message}`, code, error);
}
