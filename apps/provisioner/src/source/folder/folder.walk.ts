import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { nameRefusal } from '../name-rules.js';
import type { SourceEntry, WalkItem } from '../source-system.js';
import { type DirectoryHandle } from './directory-handle.js';

/** Items that are found in one turn of the event loop: a lock is renewed and a probe answered while a million files are walked. */
const itemsPerTurn = 512;

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
    if (items.length === itemsPerTurn) {
      yield items;
      items = [];
      await setImmediate();
    }
    items.push(item);
  }
  yield items;
}

function* walkBelow(folder: DirectoryHandle, prefix: string, rules: WalkRules): Generator<WalkItem> {
  const spellings = new Map<string, string>();
  for (const bytes of folder.names()) {
    const name = textOf(bytes);
    if (prefix === '' && name === rules.marker) continue;
    const path = prefix + name;
    const refusal = refusalOf(bytes, path, spellings);
    if (refusal) {
      yield { problem: refusal };
      continue;
    }
    const stats = folder.stat(name);
    if (stats.isDirectory()) {
      if (rules.filesOnly) continue;
      yield { entry: entryOf(path, stats) };
      yield* enter(folder, name, path, rules);
    } else if (stats.isFile()) {
      yield { entry: entryOf(path, stats) };
    } else if (stats.isSymbolicLink()) {
      yield linkItem(path, stats, folder.linkTarget(name));
    } else {
      const message = 'Only files and folders are taken, no pipes, sockets or devices.';
      yield { problem: { code: 'file.special', path, message } };
    }
  }
}

function* enter(parent: DirectoryHandle, name: string, path: string, rules: WalkRules): Generator<WalkItem> {
  const folder = parent.enter(name);
  try {
    yield* walkBelow(folder, `${path}/`, rules);
  } finally {
    folder.close();
  }
}

/** A name as text; one that is not UTF-8 as well as it goes. */
function textOf(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
}

function isAscii(bytes: string): boolean {
  return !/[\u0080-\u00ff]/.test(bytes);
}

function refusalOf(bytes: string, path: string, spellings: Map<string, string>): WalkItem['problem'] {
  if (!isAscii(bytes) && !isUtf8(Buffer.from(bytes, 'latin1'))) {
    const hex = Buffer.from(bytes, 'latin1').toString('hex');
    return { code: 'name.not_utf8', path, message: `The name is not UTF-8; its bytes are ${hex}.` };
  }
  return nameRefusal(path, path, spellings);
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
  };
}

/** What tells one state of a file from another, as far as its inode does. */
export function versionOf({ ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${String(ino)}:${String(mtimeNs)}:${String(ctimeNs)}`;
}
