import { RateLimitedError } from '@rdc/errors';
import type { FailureCountsRepository } from './failure-counts.repository.js';

/** The rule that limits the failures of one sort. */
export interface FailureRule {
  /** The word under which the failures are counted; 20 characters at most. */
  readonly sort: string;
  /** The failures by their name in the answer, e.g. `wrong keys`. */
  readonly failures: string;
  /** Failures in one window that are answered as what they are; 0: no limit. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** Is notified when a subject is refused because its count has reached the limit, at most every ten seconds. */
export type OnReached = (sort: string, subject: string) => Promise<void>;

/** How long ended counts may stay in the table before a process that counts removes them. */
const clearingPauseMs = 60_000;

/** Refused subjects that one process remembers at most; above this number, it forgets those whose time is over. */
const maxRemembered = 10_000;

/**
 * How long a process refuses a subject without a look into the table. During a flood this saves the database; after an
 * administrator's release, other processes accept the subject within this time.
 */
const maxMemoryMs = 10_000;

/** A subject that this process refuses without a look into the table. */
interface Remembered {
  readonly until: number;
  /** When the window of the count ends. */
  readonly endsAt: number;
}

/**
 * Limits the failures of one sort from one subject (an address, an account) over all replicas.
 *
 * Callers use it after a failure, or before work that only guessing makes expensive. A success is never counted.
 */
export class FailureLimit {
  private readonly overUntil = new Map<string, Remembered>();
  private clearedAt = 0;

  constructor(
    readonly rule: FailureRule,
    private readonly counts: FailureCountsRepository,
    private readonly onReached: OnReached = () => Promise.resolve(),
  ) {}

  /** Counts one failure. @throws RateLimitedError if this failure is above the limit */
  async recordFailure(subject: string): Promise<void> {
    if (this.rule.limit === 0) return;
    this.refuseRemembered(subject);
    await this.clearEnded();
    const { count, secondsLeft } = await this.counts.add(this.rule.sort, subject, this.rule.windowSeconds);
    if (count > this.rule.limit) await this.refuse(subject, secondsLeft);
  }

  /** @throws RateLimitedError if one more failure would be above the limit */
  async refuseIfReached(subject: string): Promise<void> {
    if (this.rule.limit === 0) return;
    this.refuseRemembered(subject);
    const { count, secondsLeft } = await this.counts.get(this.rule.sort, subject);
    if (count >= this.rule.limit) await this.refuse(subject, secondsLeft);
  }

  /** Removes the failures of a subject that has succeeded. */
  async reset(subject: string): Promise<void> {
    if (this.rule.limit > 0) await this.counts.remove(this.rule.sort, subject);
  }

  /** Forgets that this process refuses a subject whose count was removed from the table. */
  forget(subject: string): void {
    this.overUntil.delete(subject);
  }

  private async refuse(subject: string, secondsLeft: number): Promise<never> {
    if (this.overUntil.size >= maxRemembered) this.forgetEnded();
    if (this.overUntil.size < maxRemembered) {
      const endsAt = Date.now() + secondsLeft * 1000;
      this.overUntil.set(subject, { endsAt, until: Math.min(endsAt, Date.now() + maxMemoryMs) });
    }
    await this.onReached(this.rule.sort, subject);
    throw new RateLimitedError(this.rule.failures, secondsLeft);
  }

  private refuseRemembered(subject: string): void {
    const remembered = this.overUntil.get(subject);
    if (!remembered) return;
    if (remembered.until > Date.now()) {
      throw new RateLimitedError(this.rule.failures, Math.ceil((remembered.endsAt - Date.now()) / 1000));
    }
    this.overUntil.delete(subject);
  }

  private forgetEnded(): void {
    for (const [subject, { until }] of this.overUntil) if (until <= Date.now()) this.overUntil.delete(subject);
  }

  private async clearEnded(): Promise<void> {
    if (Date.now() - this.clearedAt < clearingPauseMs) return;
    this.clearedAt = Date.now();
    await this.counts.removeEnded();
  }
}
