import { chmodSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** The permissions of a copied file. */
export const publishedFileMode = 0o440;

const workFolderMode = 0o750;
/** Flags that create a file as a new inode, and fail if the name exists. */
export const newFileFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Creates and opens a file, and creates its missing folders.
 *
 * @param root the staging folder
 * @param path of the file, relative to the staging folder
 * @throws ENOENT if the staging folder does not exist
 */
export function openNewFile(root: string, path: string): number {
  return createNewInode(root, path, (target) => openSync(target, newFileFlags, publishedFileMode));
}

/** Creates a file as a new inode, which a superseded attempt that still writes to an older inode cannot reach. */
export function createNewInode<T>(root: string, path: string, create: (target: string) => T): T {
  const target = `${root}/${path}`;
  try {
    return create(target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const folder = dirname(target);
    if (code === 'ENOENT') createFolder(root, folder);
    else if (code === 'EEXIST' || code === 'EACCES') {
      // An earlier attempt left the file, possibly in a read-only folder.
      chmodSync(folder, workFolderMode);
      rmSync(target, { force: true });
    } else throw error;
    return create(target);
  }
}

/** Creates folders inside the staging folder. If the staging folder itself is missing, another attempt has taken over. */
function createFolder(root: string, folder: string): void {
  if (folder === root) throw Object.assign(new Error('The staging folder does not exist.'), { code: 'ENOENT' });
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
