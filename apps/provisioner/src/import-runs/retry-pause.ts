/** The pause in milliseconds before the first retry. */
export const firstPauseMs = 5_000;

/** The pause in milliseconds of an import that waits for space. */
export const spacePauseMs = 30_000;

/** The pause in milliseconds of an import that another worker should run. */
export const releasePauseMs = 2_000;

const maxPauseMs = 10 * 60_000;

/** Returns the pause in milliseconds after a number of consecutive failures: doubled each time, and spread at random. */
export function pauseAfter(failures: number): number {
  const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1));
  return Math.round(pauseMs * (0.75 + Math.random() / 2));
}
