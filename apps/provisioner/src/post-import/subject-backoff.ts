import type { Logger } from '@nestjs/common';

const firstPauseMs = 1_000;
const longestPauseMs = 10 * 60_000;

/** So many failures in a row say something of whoever is asked, and not of the subjects: the rest is left for later. */
const maxFailuresInARow = 3;

interface PutOff {
  readonly pauseMs: number;
  /** From when on it is tried again, in milliseconds since 1970. */
  readonly until: number;
}

/**
 * Does some work for subjects, one after the other. One for which it fails is tried again after growing pauses, and only
 * after all others: it keeps none of them waiting.
 */
export class SubjectBackoff {
  private readonly putOff = new Map<string, PutOff>();

  constructor(private readonly logger: Pick<Logger, 'warn'>) {}

  /**
   * @returns after how many milliseconds something is to be tried again; without end when nothing is
   * @throws the first failure, when the work was done for none
   */
  async run(subjects: readonly string[], work: (subject: string) => Promise<void>): Promise<number> {
    const wanted = new Set(subjects);
    for (const subject of this.putOff.keys()) if (!wanted.has(subject)) this.putOff.delete(subject);
    const failures: { readonly subject: string; readonly error: unknown }[] = [];
    let [done, inARow] = [0, 0];
    for (const subject of this.due(subjects)) {
      try {
        await work(subject);
        this.putOff.delete(subject);
        done += 1;
        inARow = 0;
      } catch (error) {
        this.delay(subject);
        failures.push({ subject, error });
        inARow += 1;
        if (inARow === maxFailuresInARow) break;
      }
    }
    if (done === 0 && failures[0]) throw failures[0].error;
    for (const { subject, error } of failures) this.logger.warn(`${subject} is tried again later: ${String(error)}`);
    let next = Infinity;
    for (const { until } of this.putOff.values()) next = Math.min(next, Math.max(0, until - Date.now()));
    return next;
  }

  /** Those that never failed in their order, then the others, the longest due first. */
  private due(subjects: readonly string[]): readonly string[] {
    const untilOf = (subject: string): number => this.putOff.get(subject)?.until ?? 0;
    const now = Date.now();
    return subjects.filter((subject) => untilOf(subject) <= now).sort((one, other) => untilOf(one) - untilOf(other));
  }

  private delay(subject: string): void {
    const former = this.putOff.get(subject);
    const pauseMs = former ? Math.min(longestPauseMs, 2 * former.pauseMs) : firstPauseMs;
    this.putOff.set(subject, { pauseMs, until: Date.now() + pauseMs });
  }
}
