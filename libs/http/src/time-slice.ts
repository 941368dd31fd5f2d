import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time for which long work may block the event loop. */
const sliceMs = 10;

/**
 * A time slice of the event loop for a long calculation.
 *
 * The calculation checks `isSpent` between its steps and awaits `next()` if it is true. A step must take much less than
 * 10 ms.
 */
export class TimeSlice {
  private begun = performance.now();

  /** Whether the slice has lasted for 10 ms. */
  get isSpent(): boolean {
    return performance.now() - this.begun >= sliceMs;
  }

  /** Yields to the event loop once and begins a new slice. */
  async next(): Promise<void> {
    await nextTurn();
    this.begun = performance.now();
  }
}
