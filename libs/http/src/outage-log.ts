import type { LoggerService } from '@nestjs/common';

/** The time limits of an {@link OutageLog}. */
export interface OutageTimes {
  /** Minimum time between two lines of one outage, in milliseconds. */
  readonly reminderMs: number;
  /**
   * Time without a failure after which an outage ends, in milliseconds, for sources that report no success. If
   * undefined, only `succeeded` ends an outage.
   */
  readonly quietMs?: number;
}

const defaultTimes: OutageTimes = { reminderMs: 60_000 };

/**
 * A log of work that fails repeatedly during an outage of a dependency: one line for the first failure, at most one
 * line per minute during the outage, and one line with the duration at its end.
 */
export class OutageLog {
  private since: number | undefined;
  private loggedAt = 0;
  private failures = 0;
  private lastFailureAt = 0;
  private quiet: NodeJS.Timeout | undefined;

  /**
   * @param work the name of the work or of the dependency, e.g. `queue`
   */
  constructor(
    private readonly work: string,
    private readonly logger: Pick<LoggerService, 'log' | 'warn'>,
    private readonly times: OutageTimes = defaultTimes,
  ) {}

  /** Counts a failure and logs a line if one is due. */
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

  /** Ends the outage, if there is one, and logs its duration. */
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

/** Returns the message of an error, or its code if the message is empty. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return reasonOf(error.errors[0]);
  const { message, code } = error as NodeJS.ErrnoException;
  return message || (code ?? 'no reason given');
}

function secondsFrom(start: number, end: number): string {
  return ((end - start) / 1000).toFixed(0);
}
