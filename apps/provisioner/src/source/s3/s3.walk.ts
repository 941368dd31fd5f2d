import type { ListedObject } from '../../s3/bucket.js';
import { nameRefusal } from '../name-rules.js';
import { PackedNames } from '../packed-names.js';
import type { SourceEntry, WalkItem } from '../../model/source-system.js';
import { Spellings } from '../spellings.js';

/** A folder that the walk is in, which keys only imply. */
class OpenFolder {
  private readonly seen = new PackedNames();
  private readonly spellings = new Spellings(this.seen);

  /** @param isRefused what is in a folder that cannot be taken is not looked at: the folder was named already */
  constructor(
    readonly name: string,
    readonly isRefused: boolean,
  ) {}

  /** What was seen in it before and differs by case or Unicode form only, if anything does; the name is noted. */
  twinOf(name: string): string | undefined {
    return this.spellings.twinOf(this.seen.add(Buffer.from(name).toString('latin1')));
  }

  release(): void {
    this.spellings.release();
    this.seen.release();
  }
}

/**
 * Turns the keys of a place, sorted as stores list them, into files and the folders that they imply. A key that ends
 * with a slash is a folder, also an empty one.
 */
export class KeyWalk {
  private readonly folders = [new OpenFolder('', false)];

  /** @param marker the name, at the top, that is not payload */
  constructor(private readonly marker: string) {}

  /** What one more object, at a path below the place, adds. */
  *next(path: string, object: ListedObject): Generator<WalkItem> {
    if (path === '' || path === this.marker) return;
    if (!object.isUtf8) {
      yield { problem: { code: 'name.not_utf8', path, message: `The key is not UTF-8; encoded it is ${path}.` } };
      return;
    }
    const names = path.split('/');
    const file = names.pop() ?? '';
    const [odd] = [...names, ...(file === '' ? [] : [file])].filter(isUnfit);
    if (odd !== undefined) {
      yield { problem: { code: 'name.invalid', path, message: `"${odd}" in ${path} cannot be the name of a file.` } };
      return;
    }
    yield* this.enter(names, object);
    if (file !== '' && !this.isRefused) yield* this.add(file, path, fileOf(path, object));
  }

  private get isRefused(): boolean {
    return this.folders.at(-1)?.isRefused === true;
  }

  /** Enters the folders that the next key is in, as far as they can be taken. */
  private *enter(names: readonly string[], object: ListedObject): Generator<WalkItem> {
    let shared = 0;
    while (shared < names.length && this.folders[shared + 1]?.name === names[shared]) shared += 1;
    for (const left of this.folders.splice(shared + 1)) left.release();
    for (let depth = shared; depth < names.length && !this.isRefused; depth += 1) {
      const path = names.slice(0, depth + 1).join('/');
      const name = names[depth] ?? '';
      const isTaken = yield* this.add(name, path, folderOf(path, object));
      this.folders.push(new OpenFolder(name, !isTaken));
    }
  }

  private *add(name: string, path: string, entry: SourceEntry): Generator<WalkItem, boolean> {
    const problem = nameRefusal(path, name, () => this.folders.at(-1)?.twinOf(name));
    yield problem ? { problem } : { entry };
    return problem === undefined;
  }
}

/** Names that a store takes as part of a key, and no file system as a name. */
function isUnfit(name: string): boolean {
  return name === '' || name === '.' || name === '..' || name.includes('\0');
}

function fileOf(path: string, { size, etag, modifiedAt }: ListedObject): SourceEntry {
  const changed = BigInt(modifiedAt) * 1_000_000n;
  return { path, type: 'file', size, mtimeNs: changed, ctimeNs: changed, version: etag, etag, mode: 0 };
}

function folderOf(path: string, { modifiedAt }: ListedObject): SourceEntry {
  const changed = BigInt(modifiedAt) * 1_000_000n;
  return { path, type: 'directory', size: 0, mtimeNs: changed, ctimeNs: changed, version: '', etag: null, mode: 0 };
}
