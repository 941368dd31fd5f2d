import { hash, randomUUID } from 'node:crypto';

const firstCapacity = 1024;
const growth = 1.25;

/**
 * Paths that are looked for and not named: 8 to 10 bytes for each. That one which was never added is believed to be there has,
 * beside a million others, a chance of one in 10^13.
 */
export class PathSet {
  private marks = new BigUint64Array(firstCapacity);
  private count = 0;
  private isSorted = true;
  /** Nobody who names a file can know what it will collide with. */
  private readonly salt = randomUUID();

  add(path: string): void {
    if (this.count === this.marks.length) {
      const larger = new BigUint64Array(Math.ceil(this.count * growth));
      larger.set(this.marks);
      this.marks = larger;
    }
    this.marks[this.count] = this.markOf(path);
    this.count += 1;
    this.isSorted = false;
  }

  has(path: string): boolean {
    this.sort();
    const { marks } = this;
    const wanted = this.markOf(path);
    let from = 0;
    for (let to = this.count; from < to;) {
      const middle = (from + to) >>> 1;
      if ((marks[middle] ?? 0n) < wanted) from = middle + 1;
      else to = middle;
    }
    return from < this.count && marks[from] === wanted;
  }

  private sort(): void {
    if (!this.isSorted) this.marks.subarray(0, this.count).sort();
    this.isSorted = true;
  }

  private markOf(path: string): bigint {
    return hash('sha256', this.salt + path, 'buffer').readBigUInt64LE();
  }
}
