import { chmodSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Permissions of a file that was copied. */
export const publishedFileMode = 0o440;

const workFolderMode = 0o750;
const newFileFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Opens a file that was not there, with the folders it needs.
 *
 * @param root the staging folder
 * @param path of the file, below it
 * @throws ENOENT when the staging folder is gone
 */
export function openNewFile(root: string, path: string): number {
  return createNewInode(root, path, (target) => openSync(target, newFileFlags, publishedFileMode));
}

/** Makes a file anew, always as a new inode: whoever still writes to an older one cannot reach it. */
export function createNewInode<T>(root: string, path: string, make: (target: string) => T): T {
  const target = `${root}/${path}`;
  try {
    return make(target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const folder = dirname(target);
    if (code === 'ENOENT') createFolder(root, folder);
    else if (code === 'EEXIST' || code === 'EACCES') {
      // Left by an earlier attempt, perhaps in a folder that it had made read-only already.
      chmodSync(folder, workFolderMode);
      rmSync(target, { force: true });
    } else throw error;
    return make(target);
  }
}

/** Makes folders inside the staging folder, never the staging folder itself: if that is gone, somebody took over. */
function createFolder(root: string, folder: string): void {
  if (folder === root) throw Object.assign(new Error('The staging folder is gone.'), { code: 'ENOENT' });
  try {
    mkdirSync(folder, workFolderMode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      chmodSync(folder, workFolderMode);
      return;
    }
    if (code !== 'ENOENT') throw error;
    createFolder(root, dirname(folder));
    createFolder(root, folder);
  }
}
