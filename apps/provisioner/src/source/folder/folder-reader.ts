import { DirectoryHandle } from './directory-handle.js';
import { itemsOf, namesIn, unlessDenied } from './folder-entries.js';
import {
  entriesPerTask,
  packNames,
  unpackNames,
  type FolderPart,
  type WalkAnswer,
  type WalkTask,
} from './walk-messages.js';

/** A folder on the path to the folder that was read last. */
interface OpenFolder {
  readonly name: string;
  readonly handle: DirectoryHandle;
}

/** Reads folders for walks. The folders to the one that was read last stay open for the next task of the same walk. */
export class FolderReader {
  private walk = 0;
  private readonly chain: OpenFolder[] = [];

  /** Reads a part of a folder. Blocks this thread. */
  answer(task: WalkTask): WalkAnswer {
    try {
      return { part: this.read(task) };
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      return { error: { message, code } };
    }
  }

  /** Closes the open folders. */
  close(): void {
    this.closeFrom(0);
  }

  private read(task: WalkTask): FolderPart {
    const { path, names, rules } = task;
    const { value, problem } = unlessDenied(path, () => {
      const folder = path === '' ? this.openPlace(task) : this.open(task);
      return folder && { folder, all: names ? unpackNames(names) : namesIn(folder, path, rules) };
    });
    if (problem) return { items: [{ problem }], rest: [] };
    if (value === null) return { items: [], rest: [] };
    const { folder, all } = value;
    const items = itemsOf(folder, path, all.slice(0, entriesPerTask), rules);
    return { items, rest: packNames(all.slice(entriesPerTask)) };
  }

  /** Opens the folder of the place. @returns null if it does not exist */
  private openPlace(task: WalkTask): DirectoryHandle | null {
    try {
      return this.open(task);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
      throw error;
    }
  }

  private open({ walk, place, path }: WalkTask): DirectoryHandle {
    if (walk !== this.walk) this.close();
    this.walk = walk;
    const names = [...place.folders, ...(path === '' ? [] : path.split('/'))];
    let shared = 0;
    while (shared < names.length && this.chain[shared + 1]?.name === names[shared]) shared += 1;
    this.closeFrom(shared + 1);
    let handle = this.chain.at(-1)?.handle ?? this.add('', DirectoryHandle.open(place.root));
    for (const name of names.slice(shared)) handle = this.add(name, handle.enter(name));
    return handle;
  }

  private add(name: string, handle: DirectoryHandle): DirectoryHandle {
    this.chain.push({ name, handle });
    return handle;
  }

  private closeFrom(depth: number): void {
    for (const { handle } of this.chain.splice(depth)) handle.close();
  }
}
