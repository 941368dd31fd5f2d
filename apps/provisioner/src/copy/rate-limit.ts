import { setTimeout } from 'node:timers/promises';

/** Indexes in the shared array: bytes per second, 0 for no limit; and the microsecond of the next free slot. */
const rateIndex = 0;
const nextFreeIndex = 1;

/** The longest sleep in milliseconds before a waiter checks whether it must stop. */
const maxSleepMs = 100;

/** The duration of one grant in milliseconds: long enough that a late wake-up wastes none of it. */
const grantMs = 20;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** A rate limit in memory that threads share. */
export type SharedLimit = BigInt64Array<SharedArrayBuffer>;

/** Returns a limit without a rate. It limits nothing until `setRate` is called. */
export function createLimit(): SharedLimit {
  return new BigInt64Array(new SharedArrayBuffer(16));
}

/** Sets the rate. @param bytesPerSecond 0 for no limit */
export function setRate(limit: SharedLimit, bytesPerSecond: number): void {
  Atomics.store(limit, rateIndex, BigInt(bytesPerSecond));
}

/** Returns whether a rate is set. */
export function isLimited(limit: SharedLimit): boolean {
  return Atomics.load(limit, rateIndex) > 0n;
}

/** Returns the microsecond until which bytes are reserved. It changes if and only if bytes were reserved at a limited rate. */
export function reservedUntil(limit: SharedLimit): bigint {
  return Atomics.load(limit, nextFreeIndex);
}

/** Reserves bytes for the caller. @returns the milliseconds to wait before the bytes may be moved */
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
 * A rate limiter of one thread, or of one import that streams. All limiters of a {@link SharedLimit} receive grants of
 * the same size in turn. Many small files therefore progress as fast as one large file. The rest of a grant is kept for
 * the next file.
 */
export class RateLimiter {
  private available = 0;

  /** Blocks the thread until the bytes may be moved. @param stopIfAborted throws if the bytes must not be moved */
  acquireSync(limit: SharedLimit, bytes: number, stopIfAborted: () => void): void {
    stopIfAborted();
    for (const ms of this.sleeps(limit, bytes)) {
      Atomics.wait(sleeper, 0, 0, ms);
      stopIfAborted();
    }
  }

  /** Waits like `acquireSync`, without blocking the thread. */
  async acquire(limit: SharedLimit, bytes: number, stopIfAborted: () => void): Promise<void> {
    stopIfAborted();
    for (const nap of this.sleeps(limit, bytes)) {
      await setTimeout(nap);
      stopIfAborted();
    }
  }

  private *sleeps(limit: SharedLimit, bytes: number): Generator<number> {
    this.available -= bytes;
    try {
      while (this.available < 0 && isLimited(limit)) {
        const grant = grantBytes(limit);
        this.available += grant;
        for (let wait = reserve(limit, grant); wait > 0 && isLimited(limit); wait -= maxSleepMs)
          yield Math.min(wait, maxSleepMs);
      }
    } finally {
      // A debt of bytes that were not limited, or were not moved, must not delay the next file.
      this.available = Math.max(this.available, 0);
    }
  }
}

function grantBytes(limit: SharedLimit): number {
  return Math.max(1, Math.floor((Number(Atomics.load(limit, rateIndex)) * grantMs) / 1000));
}
