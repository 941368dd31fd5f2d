const firstRetrySeconds = 5;
const retryFactor = 4;
const maxRetrySeconds = 12 * 60 * 60;
const firstPauseSeconds = 1;
const pauseFactor = 2;
const maxPauseSeconds = 300;

/** Returns the seconds until an event is sent again: from 5 s to 12 h. @param attempt the number of the failed attempt, from 1 */
export function retrySecondsAfter(attempt: number): number {
  return jittered(Math.min(maxRetrySeconds, firstRetrySeconds * retryFactor ** (attempt - 1)));
}

/**
 * Returns the seconds until any event is sent to a receiver: from 1 s to 5 min. So a receiver that is down costs one
 * attempt in five minutes, however many events wait. @param failures the number of failures in a row, from 1
 */
export function pauseSecondsAfter(failures: number): number {
  return jittered(Math.min(maxPauseSeconds, firstPauseSeconds * pauseFactor ** (failures - 1)));
}

/** Spreads attempts, so that events that failed together are not sent together again. */
function jittered(seconds: number): number {
  return seconds * (0.5 + Math.random() / 2);
}
