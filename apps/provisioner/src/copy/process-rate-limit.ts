import { rateAt, type RateChange } from '../settings/rate-timetable.js';
import type { CopyingWorkers } from './copying-workers.js';
import { createLimit, isLimited, reservedUntil, setRate, type SharedLimit } from './rate-limit.js';

/** Interval in milliseconds at which the timetable is compared with the clock. */
const checkEveryMs = 10_000;

/** Interval in milliseconds at which the copying workers are counted. */
const countEveryMs = 2_000;

/** The limit that all workers share. */
export interface TotalLimit {
  readonly changes: readonly RateChange[];
  readonly workers: Pick<CopyingWorkers, 'count'>;
}

/**
 * The rate limit that all copies of this process share. It follows a timetable, and takes an equal share of the limit of
 * all workers.
 */
export class RateLimit {
  readonly shared: SharedLimit = createLimit();
  /** The number of workers that share the total; at least 1. */
  private sharers = 1;
  private current = Number.NaN;
  private reserved = 0n;
  private counting: Promise<void> | null = null;

  /** @param total the limit of all workers; without it only this process is limited */
  constructor(
    private readonly changes: readonly RateChange[],
    private readonly total: TotalLimit | null = null,
  ) {
    this.update();
    setInterval(() => {
      this.update();
    }, checkEveryMs).unref();
    if (!total || total.changes.length === 0) return;
    setInterval(() => {
      this.counting ??= this.count(total).finally(() => (this.counting = null));
    }, countEveryMs).unref();
  }

  private update(): void {
    const now = new Date();
    const total = rateAt(this.total?.changes ?? [], now);
    const rates = [rateAt(this.changes, now), total === 0 ? 0 : Math.max(1, Math.floor(total / this.sharers))];
    const limits = rates.filter((rate) => rate > 0);
    const next = limits.length === 0 ? 0 : Math.min(...limits);
    if (next !== this.current) setRate(this.shared, next);
    this.current = next;
  }

  /** Counts the workers that share the total. A worker that does not copy reserves a share, for its next copy. */
  private async count({ workers }: TotalLimit): Promise<void> {
    const reserved = reservedUntil(this.shared);
    const isCopying = isLimited(this.shared) && reserved !== this.reserved;
    this.reserved = reserved;
    try {
      this.sharers = Math.max(1, (await workers.count(isCopying)) + (isCopying ? 0 : 1));
      this.update();
    } catch {
      // While the storage is down, the last count applies.
    }
  }
}
