import type { ListedObject } from '../../s3/bucket.js';
import { CaseVariants } from '../case-variants.js';
import { nameRefusal } from '../name-rules.js';
import type { SourceEntry, WalkItem } from '../../model/source-system.js';

/** A folder that the keys imply and that the walk has entered. */
interface OpenFolder {
  readonly name: string;
  /** Whether the folder's name was refused: then its content is skipped. */
  readonly isRefused: boolean;
  readonly variants: CaseVariants;
}

/**
 * Converts the keys of a place, in the order of a store's list, to files and the folders that the keys imply. A key that
 * ends with a slash is a folder, which may be empty.
 */
export class KeyWalk {
  private readonly folders: OpenFolder[] = [{ name: '', isRefused: false, variants: new CaseVariants() }];

  /** @param marker the name of the marker, which is omitted at the top */
  constructor(private readonly marker: string) {}

  /** Returns the items that the next object adds. @param path of the object below the place */
  *next(path: string, object: ListedObject): Generator<WalkItem> {
    if (path === '' || path === this.marker) return;
    if (!object.isUtf8) {
      yield {
        problem: {
          code: 'name.not_utf8',
          path,
          message: `The key ${path} (percent-encoded) is not UTF-8; rename the object.`,
        },
      };
      return;
    }
    const names = path.split('/');
    const file = names.pop() ?? '';
    const [odd] = [...names, ...(file === '' ? [] : [file])].filter(isInvalid);
    if (odd !== undefined) {
      yield {
        problem: {
          code: 'name.invalid',
          path,
          message: `"${odd}" in ${path} cannot be a file name; rename the object.`,
        },
      };
      return;
    }
    yield* this.enter(names, object);
    if (file !== '' && !this.isRefused) yield* this.add(file, path, fileOf(path, object));
  }

  private get isRefused(): boolean {
    return this.folders.at(-1)?.isRefused === true;
  }

  /** Enters the folders of the next key, up to the first that is refused. */
  private *enter(names: readonly string[], object: ListedObject): Generator<WalkItem> {
    let shared = 0;
    while (shared < names.length && this.folders[shared + 1]?.name === names[shared]) shared += 1;
    this.folders.length = shared + 1;
    for (let depth = shared; depth < names.length && !this.isRefused; depth += 1) {
      const path = names.slice(0, depth + 1).join('/');
      const name = names[depth] ?? '';
      const isAccepted = yield* this.add(name, path, folderOf(path, object));
      this.folders.push({ name, isRefused: !isAccepted, variants: new CaseVariants() });
    }
  }

  private *add(name: string, path: string, entry: SourceEntry): Generator<WalkItem, boolean> {
    const problem = nameRefusal(path, name, () => this.folders.at(-1)?.variants.add(name));
    yield problem ? { problem } : { entry };
    return problem === undefined;
  }
}

/** Whether a part of a key cannot be a file name. */
function isInvalid(name: string): boolean {
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
