import { RateLimitedError } from '@rdc/errors';
import type { FailureCountsRepository } from './failure-counts.repository.js';

/** The rule that limits the failures of one sort. */
export interface FailureRule {
  /** The name of the count, at most 20 characters. */
  readonly sort: string;
  /** The failures in the message, such as `wrong keys`. */
  readonly failures: string;
  /** The number of failures in one window before requests are refused; 0 for no limit. */
  readonly limit: number;
  readonly windowSeconds: number;
}

/** A callback for a subject whose count has reached the limit. Called at most every ten seconds. */
export type OnReached = (sort: string, subject: string) => Promise<void>;

/** The minimum time between two removals of ended counts by one process. */
const removalPauseMs = 60_000;

/** The maximum number of refused subjects in the memory of a process. */
const maxRemembered = 10_000;

/**
 * The time for which a process refuses a subject without a query, to protect the database during a flood. After an
 * administrator releases the subject, other processes accept the subject within this time.
 */
const maxMemoryMs = 10_000;

/** The state of a subject that this process refuses without a query. */
interface Remembered {
  readonly until: number;
  /** The end of the window of the count. */
  readonly endsAt: number;
}

/**
 * Limits the failures of one sort by one subject, such as a network or an account, over all replicas.
 *
 * Callers record each failure, and check the limit before expensive work. A success is not counted.
 */
export class FailureLimit {
  private readonly overUntil = new Map<string, Remembered>();
  private clearedAt = 0;

  constructor(
    readonly rule: FailureRule,
    private readonly counts: FailureCountsRepository,
    private readonly onReached: OnReached = () => Promise.resolve(),
  ) {}

  /** Records one failure. @throws RateLimitedError if this failure exceeds the limit */
  async recordFailure(subject: string): Promise<void> {
    if (this.rule.limit === 0) return;
    this.refuseRemembered(subject);
    await this.clearEnded();
    const { count, secondsLeft } = await this.counts.add(this.rule.sort, subject, this.rule.windowSeconds);
    if (count > this.rule.limit) await this.refuse(subject, secondsLeft);
  }

  /** @throws RateLimitedError if the limit is reached */
  async refuseIfReached(subject: string): Promise<void> {
    if (this.rule.limit === 0) return;
    this.refuseRemembered(subject);
    const { count, secondsLeft } = await this.counts.get(this.rule.sort, subject);
    if (count >= this.rule.limit) await this.refuse(subject, secondsLeft);
  }

  /** Removes the failures of a subject after a success. */
  async reset(subject: string): Promise<void> {
    if (this.rule.limit > 0) await this.counts.remove(this.rule.sort, subject);
  }

  /** Removes a subject from the memory of this process, after its count was removed from the table. */
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
    if (Date.now() - this.clearedAt < removalPauseMs) return;
    this.clearedAt = Date.now();
    await this.counts.removeEnded();
  }
}
