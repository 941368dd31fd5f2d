import { algorithmOf, type Algorithm } from '../algorithms.js';

/** The file that declares a folder to be a bag (RFC 8493, section 2.1.1). */
export const bagDeclaration = 'bagit.txt';

/** The metadata of a bag. */
export const bagInfoFile = 'bag-info.txt';

/** The list of the payload files that a receiver of the bag must fetch. */
export const fetchFile = 'fetch.txt';

/** The meaning of the name of a manifest. */
export interface ManifestName {
  readonly kind: 'payload' | 'tag';
  /** Null if the algorithm is not supported. */
  readonly algorithm: Algorithm | null;
}

/** Returns the meaning of the name of a manifest; null for any other name. */
export function manifestNamed(name: string): ManifestName | null {
  const [, tag, algorithm] = /^(tag)?manifest-([a-z0-9-]+)\.txt$/i.exec(name) ?? [];
  if (algorithm === undefined) return null;
  return { kind: tag === undefined ? 'payload' : 'tag', algorithm: algorithmOf(algorithm) ?? null };
}

/** Whether a file at the top of a dataset is one of a bag's own. */
export function isBagFile(name: string): boolean {
  return [bagDeclaration, bagInfoFile, fetchFile].includes(name) || manifestNamed(name) !== null;
}
