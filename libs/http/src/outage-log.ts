import type { LoggerService } from '@nestjs/common';

/** Bounds of an {@link OutageLog}. */
export interface OutageTimes {
  /** Time between two lines of one outage, in milliseconds. */
  readonly reminderMs: number;
  /**
   * Time without a failure after which an outage counts as over, in milliseconds; undefined if only `succeeded` ends one.
   * For sources that report failures and no success.
   */
  readonly quietMs?: number;
}

const defaultTimes: OutageTimes = { reminderMs: 60_000 };

/**
 * Log of work that fails again and again while a dependency is away: one line when the work begins to fail, at most one a
 * minute while it fails, and one with the duration when it succeeds again.
 */
export class OutageLog {
  private since: number | undefined;
  private loggedAt = 0;
  private failures = 0;
  private lastFailureAt = 0;
  private quiet: NodeJS.Timeout | undefined;

  /**
   * @param work name of the work or dependency, e.g. `queue`
   */
  constructor(
    private readonly work: string,
    private readonly logger: Pick<LoggerService, 'log' | 'warn'>,
    private readonly times: OutageTimes = defaultTimes,
  ) {}

  /** Takes a failure, and writes a line if one is due. */
  failed(error: unknown): void {
    const now = performance.now();
    this.failures += 1;
    this.lastFailureAt = now;
    this.endWhenQuiet();
    if (this.since === undefined) {
      this.since = this.loggedAt = now;
      this.logger.warn(`${this.work}: ${reasonOf(error)}`);
    } else if (now - this.loggedAt >= this.times.reminderMs) {
      this.loggedAt = now;
      const failed = `failed ${String(this.failures)} times in ${secondsFrom(this.since, now)} s`;
      this.logger.warn(`${this.work}: ${failed}, last: ${reasonOf(error)}`);
    }
  }

  /** Notes that the work was done, and writes a line if it had failed before. */
  succeeded(): void {
    this.end(performance.now());
  }

  private end(at: number): void {
    clearTimeout(this.quiet);
    if (this.since === undefined) return;
    const failed = `${String(this.failures)} failures in ${secondsFrom(this.since, at)} s`;
    this.since = undefined;
    this.failures = 0;
    this.logger.log(`${this.work}: works again after ${failed}`);
  }

  private endWhenQuiet(): void {
    const { quietMs } = this.times;
    if (quietMs === undefined) return;
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      this.end(this.lastFailureAt);
    }, quietMs).unref();
  }
}

/** Returns the message of an error in one line; of an error without a message, its code. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'no reason given');
}

function secondsFrom(start: number, end: number): string {
  return ((end - start) / 1000).toFixed(0);
}
