import { rateAt, type RateChange } from '../settings/rate-timetable.js';
import { createLimit, setRate, type SharedLimit } from './rate-limit.js';

/** Interval in milliseconds at which the timetable is compared with the clock. */
const checkEveryMs = 10_000;

/** The rate limit that all copies of this process share. It follows a timetable. */
export class RateLimit {
  readonly shared: SharedLimit = createLimit();

  constructor(changes: readonly RateChange[]) {
    let current = Number.NaN;
    const update = (): void => {
      const next = rateAt(changes, new Date());
      if (next !== current) setRate(this.shared, next);
      current = next;
    };
    update();
    setInterval(update, checkEveryMs).unref();
  }
}
