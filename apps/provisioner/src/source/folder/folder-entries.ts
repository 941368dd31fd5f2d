/** The entries of one folder of a source, as a walk reports them. */
import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { deniedProblem } from '../denied-problem.js';
import { nameRefusal } from '../name-rules.js';
import type { Problem } from '../../model/problem.js';
import { CaseVariants } from '../case-variants.js';
import type { SourceEntry, WalkItem } from '../../model/source-system.js';
import type { DirectoryHandle } from './directory-handle.js';

/** The longest path of a folder that is walked. Longer paths cannot be stored, and each folder needs an open handle. */
const maxPathBytes = 3072;

/** The parts of a place that a walk omits. */
export interface WalkRules {
  /** The name of the marker, which is omitted at the top. */
  readonly marker: string;
  /** Whether folders are omitted: those of a submission are its datasets. */
  readonly filesOnly: boolean;
}

/** An entry of a folder before its inspection: its name, or the problem for which the name is refused. */
export type NamedEntry = string | Problem;

/** The result of an operation on a path, or the problem that the operating system denies the operation. */
type Allowed<T> =
  { readonly value: T; readonly problem?: undefined } | { readonly value?: undefined; readonly problem: Problem };

/** Returns the entries of a folder in the order of a walk. @param path of the folder below its place; empty for the place */
export function namesIn(folder: DirectoryHandle, path: string, { marker }: WalkRules): readonly NamedEntry[] {
  const prefix = prefixOf(path);
  const variants = new CaseVariants();
  return folder.names().flatMap((bytes): NamedEntry | readonly NamedEntry[] => {
    const name = textOf(bytes);
    if (path === '' && name === marker) return [];
    const entry = prefix + name;
    return encodingRefusal(bytes, name, entry) ?? nameRefusal(entry, name, () => variants.add(name)) ?? name;
  });
}

/** Inspects entries of a folder. */
export function itemsOf(
  folder: DirectoryHandle,
  path: string,
  names: readonly NamedEntry[],
  { filesOnly }: WalkRules,
): WalkItem[] {
  const prefix = prefixOf(path);
  return names.flatMap((name) => {
    if (typeof name !== 'string') return { problem: name };
    const entry = prefix + name;
    const { value: stats, problem } = unlessDenied(entry, () => folder.stat(name));
    if (problem) return { problem };
    if (!stats.isDirectory()) return itemOf(folder, name, entry, stats);
    if (filesOnly) return [];
    return Buffer.byteLength(entry) > maxPathBytes ? { problem: tooDeep(entry) } : { entry: entryOf(entry, stats) };
  });
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
    if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return { problem: deniedProblem(path) };
  }
}

function prefixOf(path: string): string {
  return path === '' ? '' : `${path}/`;
}

/** Returns the item of an entry that is not a folder. */
function itemOf(folder: DirectoryHandle, name: string, path: string, stats: BigIntStats): WalkItem {
  if (stats.isFile()) return { entry: entryOf(path, stats) };
  if (stats.isSymbolicLink()) return linkItem(path, stats, folder.linkTarget(name));
  const message = 'Pipes, sockets and devices cannot be imported; remove the entry.';
  return { problem: { code: 'file.special', path, message } };
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
