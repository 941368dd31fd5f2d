import { createHash, type Hash } from 'node:crypto';

/** Checksums by several algorithms, of bytes that come one after the other. */
export class Digests {
  private readonly hashes: readonly (readonly [string, Hash])[];

  constructor(algorithms: readonly string[]) {
    this.hashes = algorithms.map((name) => [name, createHash(name)] as const);
  }

  update(bytes: Uint8Array): void {
    for (const [, hash] of this.hashes) hash.update(bytes);
  }

  /** To be asked once, after the last bytes. @returns hexadecimal, by algorithm */
  hex(): Record<string, string> {
    return Object.fromEntries(this.hashes.map(([name, hash]) => [name, hash.digest('hex')]));
  }
}
