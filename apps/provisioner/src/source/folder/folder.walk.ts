import type { SourceLocation, WalkItem } from '../../model/source-system.js';
import type { ThreadPool } from '../../concurrency/thread-pool.js';
import type { WalkRules } from './folder-entries.js';
import { packNames, type FolderPart, type PackedNames, type WalkAnswer, type WalkTask } from './walk-messages.js';

/** The threads that read the folders of a source. */
export type WalkThreads = ThreadPool<WalkTask, WalkAnswer>;

/** Items that are yielded together. */
const itemsAtOnce = 512;

/** Folders, and parts of one large folder, that are read before the walk reaches them. */
const partsAhead = 16;

/** The number of walks that this process has started. */
let walks = 0;

/** A folder whose items the walk yields. */
interface OpenFolder {
  readonly path: string;
  /** The parts that were requested and not yet yielded. */
  readonly parts: Promise<FolderPart>[];
  /** The runs of entries after the requested ones, the next one last. */
  rest: PackedNames[];
  items: readonly WalkItem[];
  /** The position in `items` of the next item to yield. */
  next: number;
  /** The position in `items` from which folders may be read ahead. */
  ahead: number;
}

/**
 * One walk of a place. Threads read many folders, and many parts of a large folder, at once; the items are yielded in
 * the order of the names, each folder before its contents.
 */
export class FolderWalk {
  private readonly walk = ++walks;
  private readonly stack: OpenFolder[] = [];
  /** The first parts of folders that are read ahead, by path. */
  private readonly readAhead = new Map<string, Promise<FolderPart>>();

  constructor(
    private readonly threads: WalkThreads,
    private readonly place: SourceLocation,
    private readonly rules: WalkRules,
  ) {}

  /** Yields all items. @throws the operating system's errors, except a denial */
  async *items(): AsyncGenerator<readonly WalkItem[]> {
    let items: WalkItem[] = [];
    this.enter('');
    for (let folder = this.stack.at(-1); folder; folder = this.stack.at(-1)) {
      const item = folder.items[folder.next++];
      if (!item) {
        if (!(await this.readNext(folder))) this.stack.pop();
        continue;
      }
      items.push(item);
      if (item.entry?.type === 'directory') this.enter(item.entry.path);
      if (items.length < itemsAtOnce) continue;
      yield items;
      items = [];
    }
    yield items;
  }

  private enter(path: string): void {
    const first = this.readAhead.get(path) ?? this.read(path, null);
    this.readAhead.delete(path);
    this.stack.push({ path, parts: [first], rest: [], items: [], next: 0, ahead: 0 });
  }

  /** Waits for the next part of a folder. @returns whether there was one */
  private async readNext(folder: OpenFolder): Promise<boolean> {
    const part = await folder.parts.shift();
    if (!part) return false;
    if (part.rest.length > 0) folder.rest = part.rest.toReversed();
    Object.assign(folder, { items: part.items, next: 0, ahead: 0 });
    while (folder.rest.length > 0 && folder.parts.length < partsAhead) {
      folder.parts.push(this.read(folder.path, folder.rest.pop() ?? null));
    }
    this.readFoldersAhead();
    return true;
  }

  /** Starts to read the folders that the walk reaches next: those in the innermost open folder first. */
  private readFoldersAhead(): void {
    for (const folder of this.stack.toReversed()) {
      folder.ahead = Math.max(folder.ahead, folder.next);
      for (; folder.ahead < folder.items.length && this.readAhead.size < partsAhead; folder.ahead += 1) {
        const { entry } = folder.items[folder.ahead] ?? {};
        if (entry?.type === 'directory') this.readAhead.set(entry.path, this.read(entry.path, null));
      }
    }
  }

  private read(path: string, names: PackedNames | null): Promise<FolderPart> {
    const { walk, place, rules } = this;
    const reading = readPart(this.threads, { walk, place, rules, path, names });
    // A part that is read ahead may fail before the walk waits for it, or after the walk was ended.
    reading.catch(() => undefined);
    return reading;
  }
}

/** Whether a folder contains a file of a name. @throws the operating system's errors, except a denial */
export async function containsFile(threads: WalkThreads, folder: SourceLocation, name: string): Promise<boolean> {
  const [names = null] = packNames([name]);
  const rules = { marker: '', filesOnly: false };
  const { items } = await readPart(threads, { walk: ++walks, place: folder, rules, path: '', names });
  return items[0]?.entry?.type === 'file';
}

async function readPart(threads: WalkThreads, task: WalkTask): Promise<FolderPart> {
  const [answer] = await threads.run(task);
  if (answer?.part) return answer.part;
  throw Object.assign(new Error(answer?.error.message), { code: answer?.error.code });
}
