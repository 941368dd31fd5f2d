import { recordFolder } from '../model/layout.js';
import type { Problem } from '../model/problem.js';

/**
 * Why an entry's name cannot be taken, if it cannot.
 *
 * @param name the last of the path
 * @param twinOf what was seen in the same folder before and is spelled alike; the entry is noted
 */
export function nameRefusal(path: string, name: string, twinOf: () => string | undefined): Problem | undefined {
  if (path.length === recordFolder.length && path.toLowerCase() === recordFolder) {
    const message = `The name ${recordFolder} is reserved for the storage's records.`;
    return { code: 'name.reserved', path, message };
  }
  const twin = twinOf();
  if (twin === undefined) return undefined;
  if (twin === name) return { code: 'name.collision', path, message: `"${path}" is a file and a folder.` };
  const other = path.slice(0, path.length - name.length) + twin;
  return { code: 'name.collision', path, message: `The name differs from "${other}" by case or Unicode form only.` };
}
