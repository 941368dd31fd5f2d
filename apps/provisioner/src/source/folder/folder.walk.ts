import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { deniedProblem } from '../denied-problem.js';
import { nameRefusal } from '../name-rules.js';
import type { Problem } from '../../model/problem.js';
import { CaseVariants } from '../case-variants.js';
import type { SourceEntry, WalkItem } from '../../model/source-system.js';
import { type DirectoryHandle } from './directory-handle.js';
import { sortedNames } from './sorted-names.js';

/** Items that are found in one turn of the event loop, so that locks are renewed and probes are answered during a long walk. */
const itemsPerTurn = 512;

/** The longest path of a folder that is walked. Longer paths cannot be stored, and each folder needs an open handle. */
const maxPathBytes = 3072;

/** The result of an operation on a path, or the problem that the operating system denies the operation. */
type Allowed<T> =
  { readonly value: T; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: Problem };

/** The parts of a place that a walk omits. */
export interface WalkRules {
  /** The name of the marker, which is omitted at the top. */
  readonly marker: string;
  /** Whether folders are omitted: those of a submission are its datasets. */
  readonly filesOnly: boolean;
}

/** Walks a place by directory handles. @throws the operating system's errors, except a denial */
export async function* walkFolder(root: DirectoryHandle, rules: WalkRules): AsyncGenerator<readonly WalkItem[]> {
  let items: WalkItem[] = [];
  for (const item of walkBelow(root, '', rules)) {
    if (item === null) {
      await setImmediate();
      continue;
    }
    if (items.length === itemsPerTurn) {
      yield items;
      items = [];
      await setImmediate();
    }
    items.push(item);
  }
  yield items;
}

/** Walks a folder. Yields null where the event loop may turn. */
function* walkBelow(folder: DirectoryHandle, prefix: string, rules: WalkRules): Generator<WalkItem | null> {
  const { value: names, problem } = yield* namesIn(folder, prefix.slice(0, -1));
  if (problem) yield { problem };
  if (!names) return;
  const variants = new CaseVariants();
  for (const bytes of yield* sortedNames(names)) {
    const name = textOf(bytes);
    if (prefix === '' && name === rules.marker) continue;
    const path = prefix + name;
    const refusal = encodingRefusal(bytes, name, path) ?? nameRefusal(path, name, () => variants.add(name));
    if (refusal) {
      yield { problem: refusal };
      continue;
    }
    const { value: stats, problem: denial } = unlessDenied(path, () => folder.stat(name));
    if (denial) yield { problem: denial };
    else if (!stats.isDirectory()) yield itemOf(folder, name, path, stats);
    else if (!rules.filesOnly) {
      if (Buffer.byteLength(path) > maxPathBytes) {
        yield { problem: tooDeep(path) };
        continue;
      }
      yield { entry: entryOf(path, stats) };
      yield* enter(folder, name, path, rules);
    }
  }
}

/** Returns the names in a folder, or the problem that the folder may not be read. */
function* namesIn(folder: DirectoryHandle, path: string): Generator<null, Allowed<readonly string[]>> {
  try {
    return { value: yield* folder.names() };
  } catch (error) {
    return { problem: denialOf(path, error) };
  }
}

/** Returns the item of an entry that is not a folder. */
function itemOf(folder: DirectoryHandle, name: string, path: string, stats: BigIntStats): WalkItem {
  if (stats.isFile()) return { entry: entryOf(path, stats) };
  if (stats.isSymbolicLink()) return linkItem(path, stats, folder.linkTarget(name));
  const message = 'Pipes, sockets and devices cannot be imported; remove the entry.';
  return { problem: { code: 'file.special', path, message } };
}

function* enter(parent: DirectoryHandle, name: string, path: string, rules: WalkRules): Generator<WalkItem | null> {
  const { value: folder, problem } = unlessDenied(path, () => parent.enter(name));
  if (problem) {
    yield { problem };
    return;
  }
  try {
    yield* walkBelow(folder, `${path}/`, rules);
  } finally {
    folder.close();
  }
}

/**
 * Runs an operation on a path.
 *
 * @param path empty for the place itself
 * @throws the operating system's errors, except a denial
 */
export function unlessDenied<T>(path: string, operation: () => T): Allowed<T> {
  try {
    return { value: operation() };
  } catch (error) {
    return { problem: denialOf(path, error) };
  }
}

/** Returns the problem that a path may not be read. @throws any other error */
function denialOf(path: string, error: unknown): Problem {
  if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  return deniedProblem(path);
}

function tooDeep(path: string): Problem {
  const message = `The path is too long: folders with paths of more than ${String(maxPathBytes)} bytes are not read. Deliver fewer levels of folders, or shorten the names.`;
  return { code: 'name.too_long', path, message };
}

function encodingRefusal(bytes: string, name: string, path: string): Problem | undefined {
  if (bytes === name || isUtf8(Buffer.from(bytes, 'latin1'))) return undefined;
  const hex = Buffer.from(bytes, 'latin1').toString('hex');
  return { code: 'name.not_utf8', path, message: `The name is not UTF-8 (bytes ${hex}); rename the file or folder.` };
}

function linkItem(path: string, stats: BigIntStats, bytes: string): WalkItem {
  const target = textOf(bytes);
  const message = 'Symbolic links are not imported; deliver the file itself.';
  const problem = { code: 'file.symlink', path, message } as const;
  const isInside = isUtf8(Buffer.from(bytes, 'latin1')) && staysInside(path, target);
  return isInside ? { problem, link: { ...entryOf(path, stats), target } } : { problem };
}

/**
 * Whether the target of a link is inside the link's place. The target may go up first, not above the place, and then only
 * down, so that other such links on the way cannot lead out.
 */
function staysInside(path: string, target: string): boolean {
  const [, up = '', down = ''] = /^((?:\.\.\/)*)(.*)$/s.exec(target) ?? [];
  const depth = path.split('/').length - 1;
  return up.length / '../'.length <= depth && down.split('/').every((name) => !['', '.', '..'].includes(name));
}

function entryOf(path: string, stats: BigIntStats): SourceEntry {
  return {
    path,
    type: stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'symlink',
    size: stats.isFile() ? Number(stats.size) : 0,
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
    version: versionOf(stats),
    etag: null,
    mode: Number(stats.mode & 0o7777n),
    ...(stats.nlink > 1n && stats.isFile() && { links: linksOf(stats) }),
  };
}

function linksOf({ dev, ino, nlink }: BigIntStats): NonNullable<SourceEntry['links']> {
  return { inode: `${String(dev)}:${String(ino)}`, count: Number(nlink) };
}

/** Returns a text that differs between two states of a file, as far as its inode shows. */
export function versionOf({ ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${String(ino)}:${String(mtimeNs)}:${String(ctimeNs)}`;
}

/** Returns the text of a name. Its bytes are decoded as far as they are UTF-8. */
function textOf(bytes: string): string {
  return /[\u0080-\u00ff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;
}
