import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoring, isErrno, workFolderMode } from './durable-file.js';

/** Removes a folder and all that is in it, also where its folders were already made read-only. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!isErrno(error, 'EACCES', 'EPERM', 'ENOTEMPTY')) throw error;
    await makeWritable(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function makeWritable(path: string): Promise<void> {
  await ignoring(['ENOENT'], chmod(path, workFolderMode));
  for (const entry of (await ignoring(['ENOENT'], readdir(path, { withFileTypes: true }))) ?? []) {
    if (entry.isDirectory()) await makeWritable(join(path, entry.name));
  }
}
