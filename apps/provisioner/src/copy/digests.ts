import { createHash, hash, type Hash } from 'node:crypto';

/** Checksums of a stream of bytes by several algorithms. */
export class Digests {
  private readonly names: readonly string[];
  private hashes: readonly Hash[] | null = null;
  private whole: readonly string[] | null = null;

  /** @param others algorithms in addition to SHA-256 */
  constructor(others: readonly string[] = []) {
    this.names = [...new Set(['sha256', ...others])];
  }

  update(bytes: Uint8Array): void {
    this.hashes ??= this.names.map((name) => createHash(name));
    for (const each of this.hashes) each.update(bytes);
  }

  /** Hashes the whole stream at once, which is faster than `update` for a small file. */
  hashWhole(bytes: Uint8Array): void {
    this.whole = this.names.map((name) => hash(name, bytes, 'hex'));
  }

  /** Returns the hexadecimal SHA-256 of the bytes so far. More bytes may follow. */
  soFar(): string {
    return (this.hashes?.[0] ?? createHash('sha256')).copy().digest('hex');
  }

  /** Returns the hexadecimal digests by algorithm. Call it once, after the last bytes. */
  hex(): Record<string, string> {
    if (!this.whole) this.update(new Uint8Array());
    const digests = this.whole ?? this.hashes?.map((each) => each.digest('hex')) ?? [];
    return Object.fromEntries(this.names.map((name, index) => [name, digests[index] ?? '']));
  }
}
