import { rateAt, type RateChange } from '../settings/rate-timetable.js';
import { createLimit, setRate, type SharedLimit } from './rate-limit.js';

/** Interval in milliseconds at which the timetable is compared with the clock. */
const lookEveryMs = 10_000;

/** The limit that every copy of this process keeps to, all of them together. */
export class RateLimit {
  readonly shared: SharedLimit = createLimit();

  constructor(changes: readonly RateChange[]) {
    let current = Number.NaN;
    const look = (): void => {
      const next = rateAt(changes, new Date());
      if (next !== current) setRate(this.shared, next);
      current = next;
    };
    look();
    setInterval(look, lookEveryMs).unref();
  }
}
