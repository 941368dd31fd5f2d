import { createHash, type Hash } from 'node:crypto';

/** Checksums of a stream of bytes by several algorithms. */
export class Digests {
  private readonly hashes: readonly (readonly [string, Hash])[];

  /** @param others algorithms in addition to SHA-256 */
  constructor(others: readonly string[] = []) {
    this.hashes = [...new Set(['sha256', ...others])].map((name) => [name, createHash(name)] as const);
  }

  update(bytes: Uint8Array): void {
    for (const [, hash] of this.hashes) hash.update(bytes);
  }

  /** Returns the hexadecimal digests by algorithm. Call it once, after the last bytes. */
  hex(): Record<string, string> {
    return Object.fromEntries(this.hashes.map(([name, hash]) => [name, hash.digest('hex')]));
  }
}
