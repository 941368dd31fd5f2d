import type { Problem } from './problem.js';

/** The folder at the top of a dataset that is ours in storage. */
export const reservedFolder = '.import';

/**
 * Why an entry's name cannot be taken, if it cannot.
 *
 * @param spellings what was seen in the same folder before; the entry is added
 */
export function nameRefusal(path: string, name: string, spellings: Map<string, string>): Problem | undefined {
  if (path.toLowerCase() === reservedFolder) {
    const message = `The name ${reservedFolder} is reserved for the storage's records.`;
    return { code: 'name.reserved', path, message };
  }
  const spelling = name.normalize('NFC').toLowerCase();
  const twin = spellings.get(spelling);
  spellings.set(spelling, path);
  if (twin === undefined) return undefined;
  if (twin === path) return { code: 'name.collision', path, message: `"${path}" is a file and a folder.` };
  return { code: 'name.collision', path, message: `The name differs from "${twin}" by case or Unicode form only.` };
}
