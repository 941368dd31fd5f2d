import { algorithmOf, type Algorithm } from './algorithms.js';
import { maxTitleLength, type Declarations } from './declarations.js';

/** The file that makes a folder a bag (RFC 8493, section 2.1.1). */
export const bagDeclaration = 'bagit.txt';

/** What a bag says of itself. */
export const bagInfoFile = 'bag-info.txt';

/** The algorithm of a bag's payload or tag manifest by its name; undefined when it is neither or of an unknown one. */
export function algorithmOfManifest(name: string): Algorithm | undefined {
  const match = /^(?:tag)?manifest-([a-z0-9-]+)\.txt$/.exec(name);
  return match?.[1] ? algorithmOf(match[1]) : undefined;
}

/** Takes what makes a bag one into the declarations. @param read the names of the descriptors that could be read */
export function readBag(into: Declarations, read: readonly string[]): void {
  into.isBag = true;
  const isComplete = read.some((name) => name.startsWith('manifest-') && algorithmOfManifest(name));
  if (isComplete) into.completeFolders.push('data/');
  else into.invalid(bagDeclaration, 'the bag has no payload manifest of an algorithm we know');
}

/** Takes a bag's `Payload-Oxum` into the declarations, and for a title what describes it, if that is no longer than one. */
export function readBagInfo(into: Declarations, bytes: Buffer): void {
  const info = bytes.toString();
  const oxum = /^Payload-Oxum:\s*(\d+)\.(\d+)\s*$/im.exec(info);
  if (oxum) into.oxum = { bytes: Number(oxum[1]), files: Number(oxum[2]) };
  // Trimmed afterwards: a pattern that leaves blanks out takes the square of their number in steps.
  const title = /^External-Description:(.*)$/im.exec(info)?.[1]?.trim();
  if (title !== undefined && title !== '' && title.length <= maxTitleLength) into.title ??= title;
}
