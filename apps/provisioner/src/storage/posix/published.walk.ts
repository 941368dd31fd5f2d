import type { Stats } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { recordFolder } from '../layout.js';
import type { StoredEntry } from '../storage.js';
import { guarded, ignoring, publishedFileMode, publishedFolderMode } from './durable-file.js';

/** Without which its own account cannot read it. */
const ownerReads = 0o400;

/** Everything below a published folder but our records, folder by folder; a name that vanishes meanwhile is left out. */
export async function* walkPublished(place: string, below = ''): AsyncGenerator<StoredEntry> {
  const folders: string[] = [];
  for await (const { name } of await guarded(() => opendir(join(place, below)))) {
    const path = join(below, name);
    if (path === recordFolder) continue;
    const stats = await guarded(() => ignoring(['ENOENT'], lstat(join(place, path))));
    if (!stats) continue;
    const target = stats.isSymbolicLink()
      ? await guarded(() => ignoring(['ENOENT', 'EINVAL'], readlink(join(place, path))))
      : undefined;
    yield { ...entryOf(path, stats), ...(target !== undefined && { target }) };
    if (stats.isDirectory()) folders.push(path);
  }
  for (const folder of folders) yield* walkPublished(place, folder);
}

function entryOf(path: string, stats: Stats): StoredEntry {
  const type = typeOf(stats);
  const mode = stats.mode & 0o7777;
  const allowed = type === 'directory' ? publishedFolderMode : publishedFileMode;
  const isOdd = (type === 'file' || type === 'directory') && ((mode & ~allowed) !== 0 || (mode & ownerReads) === 0);
  return { path, type, size: stats.size, ...(isOdd && { oddMode: mode.toString(8).padStart(4, '0') }) };
}

function typeOf(stats: Stats): StoredEntry['type'] {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : 'other';
}
