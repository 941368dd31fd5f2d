import { chmod, lstat, opendir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoring, isErrno, removeFile, workFolderMode } from './durable-file.js';

/** Files that are removed at once. */
const removalsAtOnce = 64;

/** Names that are read at once. */
const bufferSize = 512;

/** Times a folder is read anew before it counts as one that cannot be emptied. */
const maxPasses = 10;

/**
 * Removes a folder and all that is in it, also where its folders were already made read-only. What it takes of memory
 * does not grow with what is in it.
 */
export async function removeTree(path: string): Promise<void> {
  const stats = await ignoring(['ENOENT'], lstat(path));
  if (stats?.isDirectory() === true) await removeFolder(path);
  else if (stats) await removeFile(path);
}

async function removeFolder(path: string): Promise<void> {
  await ignoring(['ENOENT', 'EPERM'], chmod(path, workFolderMode));
  for (let pass = 1; ; pass += 1) {
    const removed = await empty(path);
    try {
      await ignoring(['ENOENT'], rmdir(path));
      return;
    } catch (error) {
      // What is removed from a folder may hide another from whoever reads it, and come back on NFS while it is held open.
      if (removed === 0 || pass === maxPasses || !isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    }
  }
}

/** @returns how much was in a folder */
async function empty(folder: string): Promise<number> {
  let removed = 0;
  const files: string[] = [];
  const removeFiles = (): Promise<unknown> => Promise.all(files.splice(0).map(removeFile));
  for await (const entry of (await ignoring(['ENOENT'], opendir(folder, { bufferSize }))) ?? []) {
    removed += 1;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await removeFolder(path);
    else files.push(path);
    if (files.length === removalsAtOnce) await removeFiles();
  }
  await removeFiles();
  return removed;
}
