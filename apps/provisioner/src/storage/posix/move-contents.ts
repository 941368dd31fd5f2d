import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachConcurrently } from '../../concurrency/for-each-concurrently.js';
import { isErrno } from './durable-file.js';

/** Renames at once. */
const concurrentRenames = 16;

/**
 * Moves the content of a folder into another folder on the same file system. Files replace files of the same name. A
 * folder moves in one call unless the other folder has a folder of that name with content. Several processes may move
 * into the same folder, and a killed move may be repeated.
 */
export async function moveContents(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  await forEachConcurrently(entries, concurrentRenames, async (entry) => {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    try {
      await rename(source, target);
    } catch (error) {
      if (!entry.isDirectory() || !isErrno(error, 'ENOTEMPTY', 'EEXIST')) throw error;
      await moveContents(source, target);
    }
  });
}
