import { recordFolder } from '../model/layout.js';
import type { Problem } from '../model/problem.js';

/**
 * Returns the problem for which the name of an entry is refused, if there is one.
 *
 * @param name the last part of the path
 * @param addName adds the name to those of its folder, and returns an earlier case variant of the name
 */
export function nameRefusal(path: string, name: string, addName: () => string | undefined): Problem | undefined {
  if (path.length === recordFolder.length && path.toLowerCase() === recordFolder) {
    const message = `The name ${recordFolder} is reserved for the storage's records; rename the file or folder.`;
    return { code: 'name.reserved', path, message };
  }
  const variant = addName();
  if (variant === undefined) return undefined;
  if (variant === name)
    return { code: 'name.collision', path, message: `"${path}" is both a file and a folder; rename one of them.` };
  const other = path.slice(0, path.length - name.length) + variant;
  const message = `The name differs from "${other}" by case or Unicode form only; rename one of them.`;
  return { code: 'name.collision', path, message };
}
