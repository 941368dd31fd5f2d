import type { Logger } from '@nestjs/common';

const firstPauseMs = 1_000;
const maxPauseMs = 10 * 60_000;

/** Consecutive failures that end a run, because they indicate that the dependency fails for all subjects. */
const maxConsecutiveFailures = 3;

interface Delay {
  readonly pauseMs: number;
  /** The time of the next try, in milliseconds since 1970. */
  readonly until: number;
}

/**
 * The retries of some work for subjects, one after another. The pauses between the tries for a failed subject grow, and
 * all other subjects come first.
 */
export class SubjectBackoff {
  private readonly delays = new Map<string, Delay>();

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  /**
   * Does the work for each subject that is due.
   *
   * @returns the time until the next retry in milliseconds, or infinity if nothing failed
   * @throws the first failure if the work failed for every subject
   */
  async run(subjects: readonly string[], work: (subject: string) => Promise<void>): Promise<number> {
    const current = new Set(subjects);
    for (const subject of this.delays.keys()) if (!current.has(subject)) this.delays.delete(subject);
    const failures: { readonly subject: string; readonly error: unknown }[] = [];
    let [succeeded, consecutiveFailures] = [0, 0];
    for (const subject of this.due(subjects)) {
      try {
        await work(subject);
        this.delays.delete(subject);
        succeeded += 1;
        consecutiveFailures = 0;
      } catch (error) {
        this.delay(subject);
        failures.push({ subject, error });
        consecutiveFailures += 1;
        if (consecutiveFailures === maxConsecutiveFailures) break;
      }
    }
    if (succeeded === 0 && failures[0]) throw failures[0].error;
    for (const { subject, error } of failures) {
      this.logger.warn(`task failed: subject=${subject}: ${String(error)} (retrying later)`);
    }
    const now = Date.now();
    return [...this.delays.values()].reduce((next, { until }) => Math.min(next, Math.max(0, until - now)), Infinity);
  }

  /** Returns the due subjects: first those that never failed, in their order, and then the longest overdue. */
  private due(subjects: readonly string[]): readonly string[] {
    const untilOf = (subject: string): number => this.delays.get(subject)?.until ?? 0;
    const now = Date.now();
    return subjects.filter((subject) => untilOf(subject) <= now).sort((one, other) => untilOf(one) - untilOf(other));
  }

  private delay(subject: string): void {
    const previous = this.delays.get(subject);
    const pauseMs = previous ? Math.min(maxPauseMs, 2 * previous.pauseMs) : firstPauseMs;
    this.delays.set(subject, { pauseMs, until: Date.now() + pauseMs });
  }
}
