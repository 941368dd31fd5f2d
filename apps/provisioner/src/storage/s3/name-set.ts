import { hash } from 'node:crypto';

/**
 * Paths and tags of content that are compared as a whole, in any order, without keeping them: equal sets are equal, and two that
 * differ by accident are not. Adding one twice is a mistake.
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
