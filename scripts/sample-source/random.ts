const { cos, floor, imul, log, min, PI, sqrt } = Math;

/** A generator of pseudorandom numbers (mulberry32) that repeats for the same seed. */
export class Random {
  private state: number;

  /** @param seed any text; equal texts give equal sequences */
  constructor(seed: string) {
    this.state = Buffer.from(seed).reduce((hash, byte) => imul(hash ^ byte, 0x01000193), 0x811c9dc5);
  }

  /** Returns a number from 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns a whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + floor(this.next() * (high - low + 1));
  }

  /** Returns a number near `mean`, distributed like a measurement. */
  measure(mean: number, spread: number, digits = 1): string {
    const normal = sqrt(-2 * log(1 - this.next())) * cos(2 * PI * this.next());
    return (mean + normal * spread).toFixed(digits);
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.whole(0, choices.length - 1)] ?? choices[0];
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length + 3);
    for (let at = 0; at < length; at += 4) bytes.writeUInt32LE(floor(this.next() * 2 ** 32), min(at, length - 1));
    return bytes.subarray(0, length);
  }
}
