import { algorithmOf, type Algorithm } from './algorithms.js';
import { maxTitleLength, type Declarations } from './declarations.js';
import type { DescriptorReader } from './descriptor-reader.js';
import { DescriptorError, shown } from './json-document.js';

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

/** Takes a bag's `Payload-Oxum` into the declarations, and its description as a title, unless that is too long for one. */
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
    // Trimmed afterwards: a pattern that leaves blanks out takes the square of their number in steps.
    const oxum = stated === undefined ? null : /^(\d{1,15})\.(\d{1,15})$/.exec(stated.trim());
    if (oxum) into.oxum = { bytes: Number(oxum[1]), files: Number(oxum[2]) };
    const title = /^External-Description:(.*)$/im.exec(info)?.[1]?.trim();
    if (title !== undefined && title !== '' && title.length <= maxTitleLength) into.title ??= title;
    if (stated !== undefined && !oxum)
      throw new DescriptorError(`its Payload-Oxum is not "<bytes>.<files>" but ${shown(stated.trim())}`);
  }
}
