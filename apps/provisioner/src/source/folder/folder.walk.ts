import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { nameRefusal } from '../name-rules.js';
import type { Problem } from '../../model/problem.js';
import { CaseVariants } from '../case-variants.js';
import type { SourceEntry, WalkItem } from '../../model/source-system.js';
import { type DirectoryHandle } from './directory-handle.js';
import { sortedNames } from './sorted-names.js';

/** Items that are found in one turn of the event loop: a lock is renewed and a probe answered while a million files are walked. */
const itemsPerTurn = 512;

/** Result of a look at a path, or why the operating system does not allow the look. */
type Allowed<T> =
  { readonly seen: T; readonly problem?: undefined } | { readonly seen?: undefined; readonly problem: Problem };

/** What of a place the walk leaves out or stays out of. */
export interface WalkRules {
  /** The marker's name, which is not payload at the top. */
  readonly marker: string;
  /** A submission's documents are the files at its top; its folders are datasets. */
  readonly filesOnly: boolean;
}

/** Walks a place by directory handles. @throws the operating system's errors as they come */
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

/** Yields null where the event loop may turn. */
function* walkBelow(folder: DirectoryHandle, prefix: string, rules: WalkRules): Generator<WalkItem | null> {
  const { seen: names, problem } = yield* namesIn(folder, prefix.slice(0, -1));
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
    const { seen: stats, problem: denial } = unlessDenied(path, () => folder.stat(name));
    if (denial) yield { problem: denial };
    else if (!stats.isDirectory()) yield itemOf(folder, name, path, stats);
    else if (!rules.filesOnly) {
      yield { entry: entryOf(path, stats) };
      yield* enter(folder, name, path, rules);
    }
  }
}

/** The names in a folder, or why the operating system does not allow it. */
function* namesIn(folder: DirectoryHandle, path: string): Generator<null, Allowed<readonly string[]>> {
  try {
    return { seen: yield* folder.names() };
  } catch (error) {
    return { problem: denialOf(path, error) };
  }
}

/** What is no folder. */
function itemOf(folder: DirectoryHandle, name: string, path: string, stats: BigIntStats): WalkItem {
  if (stats.isFile()) return { entry: entryOf(path, stats) };
  if (stats.isSymbolicLink()) return linkItem(path, stats, folder.linkTarget(name));
  const message = 'Only files and folders are taken, no pipes, sockets or devices.';
  return { problem: { code: 'file.special', path, message } };
}

function* enter(parent: DirectoryHandle, name: string, path: string, rules: WalkRules): Generator<WalkItem | null> {
  const { seen: folder, problem } = unlessDenied(path, () => parent.enter(name));
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
 * A look at a path, or why the operating system does not allow it.
 *
 * @param path empty for the place itself
 * @throws what else it says, as it comes
 */
export function unlessDenied<T>(path: string, look: () => T): Allowed<T> {
  try {
    return { seen: look() };
  } catch (error) {
    return { problem: denialOf(path, error) };
  }
}

/** Returns the problem that a path may not be read. @throws any other error, as it comes */
function denialOf(path: string, error: unknown): Problem {
  if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  const problem = { code: 'source.denied', message: 'It may not be read.' } as const;
  return path === '' ? problem : { ...problem, path };
}

function encodingRefusal(bytes: string, name: string, path: string): Problem | undefined {
  if (bytes === name || isUtf8(Buffer.from(bytes, 'latin1'))) return undefined;
  const hex = Buffer.from(bytes, 'latin1').toString('hex');
  return { code: 'name.not_utf8', path, message: `The name is not UTF-8; its bytes are ${hex}.` };
}

function linkItem(path: string, stats: BigIntStats, bytes: string): WalkItem {
  const target = textOf(bytes);
  const message = 'Symbolic links are not taken: deliver the file itself.';
  const problem = { code: 'file.symlink', path, message } as const;
  const isInside = isUtf8(Buffer.from(bytes, 'latin1')) && staysInside(path, target);
  return isInside ? { problem, link: { ...entryOf(path, stats), target } } : { problem };
}

/**
 * Whether a link leads nowhere but into the place it is in, also where other such links are on its way: it may go up
 * first, not above the place, and then only down.
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

/** What tells one state of a file from another, as far as its inode does. */
export function versionOf({ ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${String(ino)}:${String(mtimeNs)}:${String(ctimeNs)}`;
}

/** Returns the text of a name. Its bytes are decoded as far as they are UTF-8. */
function textOf(bytes: string): string {
  return /[\u0080-\u00ff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString() : bytes;
}
