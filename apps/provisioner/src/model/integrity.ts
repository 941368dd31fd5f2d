import type { Problem } from './problem.js';

/** The number of checksum lists that `Integrity` names. */
const maxNamed = 20;

/** A checksum list that was not compared, or not completely. */
export interface UncomparedList {
  readonly path: string;
  readonly reason: string;
}

/** The comparison of a delivery with the checksums that it declares. Every file is hashed, with or without a checksum. */
export interface Integrity {
  /** The number of files. */
  readonly files: number;
  /** The number of files that had a declared checksum, which was equal. */
  readonly compared: number;
  /** The algorithms of the compared checksums. */
  readonly algorithms: readonly string[];
  /** The first lists that were not compared, or not completely, sorted by path. */
  readonly not_compared: readonly UncomparedList[];
}

/** Returns the lists that the warnings of a delivery name. */
export function uncomparedIn(warnings: readonly Problem[]): UncomparedList[] {
  return warnings
    .filter(({ code }) => code === 'checksum.not_compared')
    .slice(0, maxNamed)
    .map(({ path = '', message }) => ({ path, reason: message }));
}
