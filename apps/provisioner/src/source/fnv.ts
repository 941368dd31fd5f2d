const prime = 0x01000193;

/** Returns the hash of a sequence that is one unit longer (FNV-1a). */
export function mixed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, prime);
}
