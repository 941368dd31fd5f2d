import { hash, randomUUID } from 'node:crypto';

const firstCapacity = 1024;
const growth = 1.25;

/**
 * A set of paths in 8 to 10 bytes per path. It stores hashes, so the paths cannot be listed. In a set of a million
 * paths, `has` is wrong for a path that was never added with a probability of 1 in 10^13.
 */
export class PathSet {
  private hashes = new BigUint64Array(firstCapacity);
  private count = 0;
  private isSorted = true;
  /** Prevents file names that are chosen to collide. */
  private readonly salt = randomUUID();

  add(path: string): void {
    if (this.count === this.hashes.length) {
      const larger = new BigUint64Array(Math.ceil(this.count * growth));
      larger.set(this.hashes);
      this.hashes = larger;
    }
    this.hashes[this.count] = this.hashOf(path);
    this.count += 1;
    this.isSorted = false;
  }

  has(path: string): boolean {
    this.sort();
    const { hashes } = this;
    const target = this.hashOf(path);
    let from = 0;
    for (let to = this.count; from < to;) {
      const middle = (from + to) >>> 1;
      if ((hashes[middle] ?? 0n) < target) from = middle + 1;
      else to = middle;
    }
    return from < this.count && hashes[from] === target;
  }

  private sort(): void {
    if (!this.isSorted) this.hashes.subarray(0, this.count).sort();
    this.isSorted = true;
  }

  private hashOf(path: string): bigint {
    return hash('sha256', this.salt + path, 'buffer').readBigUInt64LE();
  }
}
