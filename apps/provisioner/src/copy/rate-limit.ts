import { setTimeout } from 'node:timers/promises';

/** Places in the shared array: bytes a second, 0 for no limit; and the microsecond up to which all is spoken for. */
const rateIndex = 0;
const nextFreeIndex = 1;

/** How long whoever waits for a turn sleeps before it looks whether it should stop. */
const maxSleepMs = 100;

/** What one turn is worth: long enough that who wakes late from a nap has lost nothing of it. */
const grantMs = 20;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** What the threads that share a limit have in common. */
export type SharedLimit = BigInt64Array<SharedArrayBuffer>;

/** A limit that nothing is held to until a rate is set. */
export function createLimit(): SharedLimit {
  return new BigInt64Array(new SharedArrayBuffer(16));
}

/** @param bytesPerSecond 0 for no limit */
export function setRate(limit: SharedLimit, bytesPerSecond: number): void {
  Atomics.store(limit, rateIndex, BigInt(bytesPerSecond));
}

/** Whether there is a limit at all. */
export function isLimited(limit: SharedLimit): boolean {
  return Atomics.load(limit, rateIndex) > 0n;
}

/** Takes the next bytes of what all are allowed together. @returns how long to wait before moving them, in milliseconds */
export function reserve(limit: SharedLimit, bytes: number): number {
  const rate = Atomics.load(limit, rateIndex);
  if (rate <= 0n) return 0;
  const cost = (BigInt(bytes) * 1_000_000n) / rate;
  const now = process.hrtime.bigint() / 1000n;
  for (;;) {
    const free = Atomics.load(limit, nextFreeIndex);
    const start = free > now ? free : now;
    if (Atomics.compareExchange(limit, nextFreeIndex, free, start + cost) === free) return Number(start - now) / 1000;
  }
}

/**
 * The turns of one thread, or of one import that streams. Who waits for a limit gets turns of the same size one after the
 * other, so that many small files come as far as one large file does. What is left of a turn is kept for the next file.
 */
export class RateLimiter {
  private left = 0;

  /** Has the thread wait until so many bytes may be moved. @param stopIfAborted throws when they must not */
  acquireSync(limit: SharedLimit, bytes: number, stopIfAborted: () => void): void {
    stopIfAborted();
    for (const ms of this.sleeps(limit, bytes)) {
      Atomics.wait(sleeper, 0, 0, ms);
      stopIfAborted();
    }
  }

  /** The same where others go on meanwhile. */
  async acquire(limit: SharedLimit, bytes: number, stopIfAborted: () => void): Promise<void> {
    stopIfAborted();
    for (const nap of this.sleeps(limit, bytes)) {
      await setTimeout(nap);
      stopIfAborted();
    }
  }

  private *sleeps(limit: SharedLimit, bytes: number): Generator<number> {
    this.left -= bytes;
    try {
      while (this.left < 0 && isLimited(limit)) {
        const turn = grantBytes(limit);
        this.left += turn;
        for (let wait = reserve(limit, turn); wait > 0 && isLimited(limit); wait -= maxSleepMs) yield Math.min(wait, maxSleepMs);
      }
    } finally {
      // Bytes that were not limited, or are not moved any more, are not to be paid for.
      this.left = Math.max(this.left, 0);
    }
  }
}

function grantBytes(limit: SharedLimit): number {
  return Math.max(1, Math.floor((Number(Atomics.load(limit, rateIndex)) * grantMs) / 1000));
}
