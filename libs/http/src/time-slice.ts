import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which long work may hold the event loop. */
const sliceMs = 10;

/**
 * Shares the event loop between one long piece of work and everything else of the process.
 *
 * The work asks `isSpent` between its steps and awaits `next()` when that is so. A step must be much shorter than 10 ms.
 */
export class TimeSlice {
  private begun = performance.now();

  /** Whether the work has held the event loop for 10 ms. */
  get isSpent(): boolean {
    return performance.now() - this.begun >= sliceMs;
  }

  /** Lets everything else that is ready run once, and begins a new slice. */
  async next(): Promise<void> {
    await nextTurn();
    this.begun = performance.now();
  }
}
