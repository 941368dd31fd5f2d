import { setTimeout } from 'node:timers/promises';

/** Places in the shared array: bytes a second, 0 for no limit; and the microsecond up to which all is spoken for. */
const ratePlace = 0;
const freePlace = 1;

/** How long whoever waits for a turn sleeps before it looks whether it should stop. */
const napMs = 100;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** What the threads that share a limit have in common. */
export type SharedLimit = BigInt64Array<SharedArrayBuffer>;

/** A limit that nothing is held to until a rate is set. */
export function makeLimit(): SharedLimit {
  return new BigInt64Array(new SharedArrayBuffer(16));
}

/** @param bytesPerSecond 0 for no limit */
export function setRate(limit: SharedLimit, bytesPerSecond: number): void {
  Atomics.store(limit, ratePlace, BigInt(bytesPerSecond));
}

/** Whether there is a limit at all. */
export function isLimited(limit: SharedLimit): boolean {
  return Atomics.load(limit, ratePlace) > 0n;
}

/** Takes the next bytes of what all are allowed together. @returns how long to wait before moving them, in milliseconds */
export function reserve(limit: SharedLimit, bytes: number): number {
  const rate = Atomics.load(limit, ratePlace);
  if (rate <= 0n) return 0;
  const cost = (BigInt(bytes) * 1_000_000n) / rate;
  const now = process.hrtime.bigint() / 1000n;
  for (;;) {
    const free = Atomics.load(limit, freePlace);
    const start = free > now ? free : now;
    if (Atomics.compareExchange(limit, freePlace, free, start + cost) === free) return Number(start - now) / 1000;
  }
}

/** Takes the next bytes, and has the thread wait until they may be moved. @param stopIfAborted throws when they must not */
export function waitInThread(limit: SharedLimit, bytes: number, stopIfAborted: () => void): void {
  stopIfAborted();
  for (let wait = reserve(limit, bytes); wait > 0 && isLimited(limit); wait -= napMs) {
    Atomics.wait(sleeper, 0, 0, Math.min(wait, napMs));
    stopIfAborted();
  }
}

/** The same where others go on meanwhile. */
export async function waitForTurn(limit: SharedLimit, bytes: number, stopIfAborted: () => void): Promise<void> {
  stopIfAborted();
  for (let wait = reserve(limit, bytes); wait > 0 && isLimited(limit); wait -= napMs) {
    await setTimeout(Math.min(wait, napMs));
    stopIfAborted();
  }
}
