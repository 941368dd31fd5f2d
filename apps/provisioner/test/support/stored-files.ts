import type { Subject } from '../../src/model/identifier.js';
import type { Storage } from '../../src/model/storage.js';

/** Returns the sorted paths of the stored files of an imported subject, without its records. */
export async function storedFiles(storage: Storage, subject: Subject): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path, type } of storage.entriesOf(subject)) if (type !== 'directory') paths.push(path);
  return paths.sort();
}
