import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { nameRefusal } from '../name-rules.js';
import type { SourceEntry, WalkItem } from '../source-system.js';
import { type DirectoryHandle } from './directory-handle.js';

/** Entries between two turns of the event loop: a lock is renewed and a probe answered while a million files are walked. */
const entriesPerTurn = 512;

/** What of a place the walk leaves out or stays out of. */
export interface WalkRules {
  /** The marker's name, which is not payload at the top. */
  readonly marker: string;
  /** A submission's documents are the files at its top; its folders are datasets. */
  readonly filesOnly: boolean;
}

/** Walks a place by directory handles. @throws the operating system's errors as they come */
export async function* walkFolder(root: DirectoryHandle, rules: WalkRules): AsyncGenerator<WalkItem> {
  let count = 0;
  for (const item of walkBelow(root, '', rules)) {
    yield item;
    if (++count % entriesPerTurn === 0) await setImmediate();
  }
}

function* walkBelow(folder: DirectoryHandle, prefix: string, rules: WalkRules): Generator<WalkItem> {
  const spellings = new Map<string, string>();
  for (const bytes of folder.names()) {
    const name = bytes.toString();
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
    } else {
      yield { problem: unfit(path, stats) };
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

function refusalOf(bytes: Buffer, path: string, spellings: Map<string, string>): WalkItem['problem'] {
  if (!isUtf8(bytes)) {
    return { code: 'name.not_utf8', path, message: `The name is not UTF-8; its bytes are ${bytes.toString('hex')}.` };
  }
  return nameRefusal(path, path, spellings);
}

function unfit(path: string, stats: BigIntStats): NonNullable<WalkItem['problem']> {
  return stats.isSymbolicLink()
    ? { code: 'file.symlink', path, message: 'Symbolic links are not taken: deliver the file itself.' }
    : { code: 'file.special', path, message: 'Only files and folders are taken, no pipes, sockets or devices.' };
}

function entryOf(path: string, stats: BigIntStats): SourceEntry {
  return {
    path,
    type: stats.isDirectory() ? 'directory' : 'file',
    size: stats.isDirectory() ? 0 : Number(stats.size),
    mtimeNs: stats.mtimeNs,
    ctimeNs: stats.ctimeNs,
    version: versionOf(stats),
    etag: null,
    mode: Number(stats.mode & 0o7777n),
  };
}

/** What tells one state of a file from another, as far as its inode does. */
export function versionOf({ ino, mtimeNs, ctimeNs }: BigIntStats): string {
  return [ino, mtimeNs, ctimeNs].join(':');
}
