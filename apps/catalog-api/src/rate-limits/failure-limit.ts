import { RateLimitedError } from '@rdc/errors';
import type { FailureCountsRepository } from './failure-counts.repository.js';

/** How many failures of one sort are borne. */
export interface FailureRule {
  /** The word under which they are counted; 20 characters at most. */
  readonly sort: string;
  /** What the caller is told there were too many of, e.g. `wrong keys`. */
  readonly failures: string;
  /** Failures in one window that are answered as what they are; 0: no limit. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** How long ended counts may lie about before a process that counts clears them away. */
const clearingPauseMs = 60_000;

/** More subjects than this over their limit at once, and those whose time is over are forgotten. */
const maxRemembered = 10_000;

/**
 * Limits the failures of one sort from one subject (an address, a login name) over all replicas.
 *
 * It is asked when something has failed, or before something that only guessing makes expensive; what succeeds is
 * never counted. Whoever is over the limit is remembered here until the window ends, so that a flood costs no database.
 */
export class FailureLimit {
  private readonly overUntil = new Map<string, number>();
  private clearedAt = 0;

  constructor(
    private readonly rule: FailureRule,
    private readonly counts: FailureCountsRepository,
  ) {}

  /** @throws RateLimitedError when this failure is one too many */
  async note(subject: string): Promise<void> {
    if (this.rule.limit === 0) return;
    this.refuseRemembered(subject);
    await this.clearEnded();
    const { count, secondsLeft } = await this.counts.add(this.rule.sort, subject, this.rule.windowSeconds);
    if (count > this.rule.limit) this.refuse(subject, secondsLeft);
  }

  /** @throws RateLimitedError when one more failure would be too many */
  async refuseIfReached(subject: string): Promise<void> {
    if (this.rule.limit === 0) return;
    this.refuseRemembered(subject);
    const { count, secondsLeft } = await this.counts.get(this.rule.sort, subject);
    if (count >= this.rule.limit) this.refuse(subject, secondsLeft);
  }

  /** Forgets the failures of a subject that has shown to be in the right. */
  async forgive(subject: string): Promise<void> {
    if (this.rule.limit > 0) await this.counts.remove(this.rule.sort, subject);
  }

  private refuse(subject: string, secondsLeft: number): never {
    if (this.overUntil.size >= maxRemembered) this.forgetEnded();
    if (this.overUntil.size < maxRemembered) this.overUntil.set(subject, Date.now() + secondsLeft * 1000);
    throw new RateLimitedError(this.rule.failures, secondsLeft);
  }

  private refuseRemembered(subject: string): void {
    const millisecondsLeft = (this.overUntil.get(subject) ?? 0) - Date.now();
    if (millisecondsLeft > 0) throw new RateLimitedError(this.rule.failures, Math.ceil(millisecondsLeft / 1000));
    this.overUntil.delete(subject);
  }

  private forgetEnded(): void {
    for (const [subject, until] of this.overUntil) if (until <= Date.now()) this.overUntil.delete(subject);
  }

  private async clearEnded(): Promise<void> {
    if (Date.now() - this.clearedAt < clearingPauseMs) return;
    this.clearedAt = Date.now();
    await this.counts.removeEnded();
  }
}
