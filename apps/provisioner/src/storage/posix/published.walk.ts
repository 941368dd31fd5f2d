import type { Dir, Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { recordFolder } from '../../model/layout.js';
import type { StoredEntry } from '../../model/storage.js';
import { guarded, ignoring } from './durable-file.js';

/** Entries to read at once. */
const bufferSize = 512;

/**
 * Walks a published folder without its records. Entries that disappear during the walk are skipped. Memory does not grow
 * with the number of entries: each folder stays open while its subfolders are walked.
 */
export async function* walkPublished(root: string): AsyncGenerator<StoredEntry> {
  const open: { readonly parent: string; readonly folder: Dir }[] = [];
  const enter = async (path: string): Promise<void> => {
    const folder = await ignoring(['ENOENT', 'ENOTDIR'], opendir(join(root, path), { bufferSize }));
    if (folder) open.push({ parent: path, folder });
  };
  try {
    await guarded(() => enter(''));
    for (let current = open.at(-1); current; current = open.at(-1)) {
      const { parent, folder } = current;
      const entry = await guarded(() => folder.read());
      if (!entry) {
        open.pop();
        await folder.close();
        continue;
      }
      const path = join(parent, entry.name);
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
