import { algorithms } from '../algorithms.js';
import type { BagRules, Declarations } from '../declarations.js';
import { bagDeclaration } from './bag-names.js';

/** Whether a bag follows RFC 8493 (version 1.0) and not an earlier draft. */
export function isFinalVersion({ version }: BagRules): boolean {
  return version === '1.0';
}

/** Checks what the manifests require together, after all of them were read. */
export function concludeBag(into: Declarations): void {
  const { bag, payloadManifests } = into;
  const [first] = payloadManifests;
  if (!bag && first !== undefined) {
    into.problems.add({
      code: 'file.missing',
      path: bagDeclaration,
      message: `${first.path} is the manifest of a bag, but ${bagDeclaration} is missing; deliver ${bagDeclaration}, or rename the manifest to checksums.txt.`,
    });
  }
  if (bag && !payloadManifests.some(({ isRead }) => isRead))
    into.invalid(
      bagDeclaration,
      `the bag has no readable payload manifest of a supported algorithm (${algorithms.join(', ')})`,
    );
}

/**
 * Returns the manifests of a bag that must list a payload file and do not. RFC 8493 requires every payload file in every
 * manifest, the earlier drafts in one of them.
 *
 * @param listed a bit for each manifest that lists the file
 */
export function manifestsWithout({ bag, payloadManifests }: Declarations, listed: number): readonly string[] {
  if (!bag) return [];
  const missing = payloadManifests.filter(({ bit }) => (listed & bit) === 0);
  const isUnlisted = isFinalVersion(bag) || missing.length === payloadManifests.length;
  // The lines of a manifest that could not be read are unknown.
  const areKnown = isFinalVersion(bag) || payloadManifests.every(({ isRead }) => isRead);
  return isUnlisted && areKnown ? missing.filter(({ isRead }) => isRead).map(({ path }) => path) : [];
}
