import { algorithmOf, type Declarations } from './declarations.js';
import { readChecksumList } from './checksum-list.js';

/** The file that makes a folder a bag (RFC 8493, section 2.1.1). */
export const bagDeclaration = 'bagit.txt';

/** The algorithm of a bag's payload or tag manifest by its name; undefined when it is neither or of an unknown one. */
export function algorithmOfManifest(name: string): ReturnType<typeof algorithmOf> {
  const match = /^(?:tag)?manifest-([a-z0-9-]+)\.txt$/.exec(name);
  return match?.[1] ? algorithmOf(match[1]) : undefined;
}

/** Takes a bag's manifests and `Payload-Oxum` into the declarations. */
export function readBag(into: Declarations, files: ReadonlyMap<string, Buffer>): void {
  into.isBag = true;
  const payload = [...files.keys()].filter((name) => name.startsWith('manifest-') && algorithmOfManifest(name));
  if (payload.length === 0) into.invalid(bagDeclaration, 'the bag has no payload manifest of an algorithm we know');
  else into.completeFolders.push('data/');
  for (const [name, bytes] of files) {
    const algorithm = algorithmOfManifest(name);
    if (algorithm) readChecksumList(into, { name, text: bytes.toString('utf8'), algorithm }, 'bagit');
  }
  const info = files.get('bag-info.txt')?.toString('utf8') ?? '';
  const oxum = /^Payload-Oxum:\s*(\d+)\.(\d+)\s*$/im.exec(info);
  if (oxum) into.oxum = { bytes: Number(oxum[1]), files: Number(oxum[2]) };
  into.title ??= /^External-Description:\s*(.+?)\s*$/im.exec(info)?.[1] ?? null;
}
