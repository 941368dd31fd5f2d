import { Injectable } from '@nestjs/common';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { FailureCountsRepository } from './failure-counts.repository.js';
import { FailureLimit, type FailureRule } from './failure-limit.js';
import { RateLimitsSettings } from './rate-limits.settings.js';
import { ThrottleTrail } from './throttle-trail.js';

const minuteSeconds = 60;

/** The number of wrong passwords after which an account accepts no password for the rest of the window. */
const guessesPerAccount = 20;
const accountWindowSeconds = 15 * minuteSeconds;

/** The limits on failures. Subjects are networks (see `networkOf`) or accounts. */
@Injectable()
export class FailureLimits {
  /** Unknown keys from one network. */
  readonly wrongKeys: FailureLimit;
  /** Posts to the webhook from one network whose address is not allowed. */
  readonly refusedPosts: FailureLimit;
  /** Tokens that are not active and were introspected by one service. */
  readonly introspections: FailureLimit;
  /** Wrong passwords and codes from one network. */
  readonly failedLogins: FailureLimit;
  /** Wrong passwords and codes for one account. */
  readonly guesses: FailureLimit;

  constructor(
    { RATE_LIMIT_WRONG_KEYS }: HttpSettings,
    settings: RateLimitsSettings,
    counts: FailureCountsRepository,
    trail: ThrottleTrail,
  ) {
    const limit = (rule: FailureRule): FailureLimit =>
      new FailureLimit(rule, counts, (sort, subject) => trail.record(sort, subject));
    const perMinute = (sort: string, failures: string, maximum: number): FailureLimit =>
      limit({ sort, failures, limit: maximum, windowSeconds: minuteSeconds });
    this.wrongKeys = perMinute('wrong_key', 'wrong keys', RATE_LIMIT_WRONG_KEYS);
    this.introspections = perMinute('introspection', 'tokens that are not active', RATE_LIMIT_WRONG_KEYS);
    this.refusedPosts = perMinute('refused_post', 'refused posts', settings.RATE_LIMIT_REFUSED_POSTS);
    this.failedLogins = perMinute('login', 'failed logins', settings.RATE_LIMIT_FAILED_LOGINS);
    this.guesses = limit({
      sort: 'account',
      failures: 'wrong passwords for this login',
      limit: guessesPerAccount,
      windowSeconds: accountWindowSeconds,
    });
  }

  /** The limits that are enabled. */
  get active(): readonly FailureLimit[] {
    const all = [this.wrongKeys, this.introspections, this.refusedPosts, this.failedLogins, this.guesses];
    return all.filter(({ rule }) => rule.limit > 0);
  }
}

/** Returns the subject of an account in {@link FailureLimits.guesses}. */
export function accountSubject(userId: number): string {
  return `user:${String(userId)}`;
}
