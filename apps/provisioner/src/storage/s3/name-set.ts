import { hash } from 'node:crypto';

/**
 * A digest of a set of paths and ETags, independent of their order. Equal sets have equal digests, and sets that differ
 * by accident have different digests. A path must not be added twice.
 */
export class NameSet {
  count = 0;
  private readonly sum = Buffer.alloc(32);

  add(path: string, tag: string): void {
    const digest = hash('sha256', `${path}\0${tag}`, 'buffer');
    for (const [index, byte] of digest.entries()) this.sum[index] = (this.sum[index] ?? 0) ^ byte;
    this.count += 1;
  }

  equals(other: NameSet): boolean {
    return this.count === other.count && this.sum.equals(other.sum);
  }
}
