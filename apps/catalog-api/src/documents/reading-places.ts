import { RateLimitedError } from '@rdc/errors';

/** When whoever found no place may come again. */
const retryAfterSeconds = 30;

/**
 * Places for whoever reads a list that anybody may ask for: its stream holds a connection for as long as the caller
 * takes to read, and enough of them must be left to everybody else.
 */
export class ReadingPlaces {
  constructor(private free: number) {}

  /** Takes a place; the answer gives it back, once. @throws RateLimitedError when none is free */
  take(): () => void {
    if (this.free <= 0) throw new RateLimitedError('whole lists being read at this moment', retryAfterSeconds);
    this.free--;
    let taken = true;
    return () => {
      if (taken) this.free++;
      taken = false;
    };
  }
}
