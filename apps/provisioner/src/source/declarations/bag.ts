import { algorithmOf, algorithms, type Algorithm } from './algorithms.js';
import { maxTitleLength, type Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { DescriptorError, quoted } from './json-document.js';

/** The file that declares a folder to be a bag (RFC 8493, section 2.1.1). */
export const bagDeclaration = 'bagit.txt';

/** The metadata of a bag. */
export const bagInfoFile = 'bag-info.txt';

/** Returns the algorithm of a payload or tag manifest by its name; undefined for other names and algorithms. */
export function algorithmOfManifest(name: string): Algorithm | undefined {
  const match = /^(?:tag)?manifest-([a-z0-9-]+)\.txt$/.exec(name);
  return match?.[1] ? algorithmOf(match[1]) : undefined;
}

/** Adds the rules of a bag to the declarations. @param read the names of the descriptors that could be read */
export function readBag(into: Declarations, read: readonly string[]): void {
  into.isBag = true;
  const isComplete = read.some((name) => name.startsWith('manifest-') && algorithmOfManifest(name));
  if (isComplete) into.completeFolders.push('data/');
  else
    into.invalid(
      bagDeclaration,
      `the bag has no readable payload manifest of a supported algorithm (${algorithms.join(', ')})`,
    );
}

/** Adds a bag's `Payload-Oxum` to the declarations, and its description as the title unless it is too long. */
export class BagInfoReader implements DescriptorReader {
  private readonly into: Declarations;
  private readonly pieces: Uint8Array[] = [];

  constructor(into: Declarations) {
    this.into = into;
  }

  write(bytes: Uint8Array): void {
    this.pieces.push(bytes);
  }

  end(): void {
    const { into } = this;
    const info = Buffer.concat(this.pieces).toString();
    const [, stated] = /^Payload-Oxum:(.*)$/im.exec(info) ?? [];
    // Trimmed afterwards, because a pattern that skips blanks would take quadratic time.
    const oxum = stated === undefined ? null : /^(\d{1,15})\.(\d{1,15})$/.exec(stated.trim());
    if (oxum) into.oxum = { bytes: Number(oxum[1]), files: Number(oxum[2]) };
    const title = /^External-Description:(.*)$/im.exec(info)?.[1]?.trim();
    if (title !== undefined && title !== '' && title.length <= maxTitleLength) into.title ??= title;
    if (stated !== undefined && !oxum)
      throw new DescriptorError(`its Payload-Oxum must be "<bytes>.<files>" and is ${quoted(stated.trim())}`);
  }
}
