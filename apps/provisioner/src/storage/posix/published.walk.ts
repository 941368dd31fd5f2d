import type { Dir, Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { recordFolder } from '../../model/layout.js';
import type { StoredEntry } from '../../model/storage.js';
import { guarded, ignoring } from './durable-file.js';

/** Names that are read at once. */
const bufferSize = 512;

/**
 * Everything below a published folder but our records; what vanishes meanwhile is left out. No names are collected: a
 * folder is held open while what is below it is walked.
 */
export async function* walkPublished(place: string): AsyncGenerator<StoredEntry> {
  const open: { readonly below: string; readonly folder: Dir }[] = [];
  const enter = async (below: string): Promise<void> => {
    const folder = await ignoring(['ENOENT', 'ENOTDIR'], opendir(join(place, below), { bufferSize }));
    if (folder) open.push({ below, folder });
  };
  try {
    await guarded(() => enter(''));
    for (let current = open.at(-1); current; current = open.at(-1)) {
      const { below, folder } = current;
      const entry = await guarded(() => folder.read());
      if (!entry) {
        open.pop();
        await folder.close();
        continue;
      }
      const path = join(below, entry.name);
      if (path === recordFolder) continue;
      const type = typeOf(entry);
      yield { path, type };
      if (type === 'directory') await guarded(() => enter(path));
    }
  } finally {
    for (const { folder } of open) await folder.close();
  }
}

function typeOf(entry: Dirent): StoredEntry['type'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'symlink' : 'other';
}
