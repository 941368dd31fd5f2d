import { Injectable } from '@nestjs/common';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { FailureCountsRepository } from './failure-counts.repository.js';
import { FailureLimit, type FailureRule } from './failure-limit.js';
import { ThrottleTrail } from './throttle-trail.js';

const minuteSeconds = 60;

/** Wrong passwords after which an account accepts none for the rest of the window, from any network. */
const guessesPerAccount = 20;
const accountWindowSeconds = 15 * minuteSeconds;

/** Every limit on failures. Subjects are networks (`networkOf` an address), or accounts. */
@Injectable()
export class FailureLimits {
  /** Keys that no caller has. */
  readonly wrongKeys: FailureLimit;
  /** Posts to the webhook from addresses that are not allowed. */
  readonly refusedPosts: FailureLimit;
  /** Tokens that are not active, introspected by one service. */
  readonly introspections: FailureLimit;
  /** Wrong passwords and codes from one network. */
  readonly failedLogins: FailureLimit;
  /** Wrong passwords and codes for one account. */
  readonly guesses: FailureLimit;

  constructor(settings: CatalogSettings, counts: FailureCountsRepository, trail: ThrottleTrail) {
    const limit = (rule: FailureRule): FailureLimit =>
      new FailureLimit(rule, counts, (sort, subject) => trail.record(sort, subject));
    const perMinute = (sort: string, failures: string, most: number): FailureLimit =>
      limit({ sort, failures, limit: most, windowSeconds: minuteSeconds });
    this.wrongKeys = perMinute('wrong_key', 'wrong keys', settings.RATE_LIMIT_WRONG_KEYS);
    this.introspections = perMinute('introspection', 'tokens that are not active', settings.RATE_LIMIT_WRONG_KEYS);
    this.refusedPosts = perMinute('refused_post', 'refused posts', settings.RATE_LIMIT_REFUSED_POSTS);
    this.failedLogins = perMinute('login', 'failed logins', settings.RATE_LIMIT_FAILED_LOGINS);
    this.guesses = limit({
      sort: 'account',
      failures: 'wrong passwords for this login',
      limit: guessesPerAccount,
      windowSeconds: accountWindowSeconds,
    });
  }

  /** Every limit that is on. */
  get active(): readonly FailureLimit[] {
    const all = [this.wrongKeys, this.introspections, this.refusedPosts, this.failedLogins, this.guesses];
    return all.filter(({ rule }) => rule.limit > 0);
  }
}

/** The subject under which {@link FailureLimits.guesses} counts the failures of an account. */
export function accountSubject(userId: number): string {
  return `user:${String(userId)}`;
}
