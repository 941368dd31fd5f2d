import { chmod, lstat, opendir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoring, isErrno, removeFile, workFolderMode } from './durable-file.js';

/** Files to remove concurrently. */
const removalsAtOnce = 64;

/** Entries to read at once. */
const bufferSize = 512;

/** Times to empty a folder before its removal fails. */
const maxPasses = 10;

/** Removes a file or a folder with its content, including read-only folders. Memory does not grow with the content. */
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
      // A removal may hide an entry from the reader of a folder. On NFS, an open file reappears after its removal.
      if (removed === 0 || pass === maxPasses || !isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
    }
  }
}

/** Removes the content of a folder. @returns the number of entries that the folder had */
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
