import { Injectable } from '@nestjs/common';
import { CatalogSettings } from '../settings.js';
import { FailureCountsRepository } from './failure-counts.repository.js';
import { FailureLimit } from './failure-limit.js';

const minuteSeconds = 60;

/** Wrong passwords after which an account takes none for the rest of the window, wherever they came from. */
const guessesPerAccount = 20;
const accountWindowSeconds = 15 * minuteSeconds;

/** Every limit on failures. Subjects are networks (`networkOf` an address), or the name of an account. */
@Injectable()
export class FailureLimits {
  /** Keys that nobody has. */
  readonly wrongKeys: FailureLimit;
  /** Posts to the webhook from addresses that may not. */
  readonly refusedPosts: FailureLimit;
  /** Tokens that are not active, introspected by one service. */
  readonly introspections: FailureLimit;
  /** Wrong passwords from one network. */
  readonly failedLogins: FailureLimit;
  /** Wrong passwords for one account. */
  readonly guesses: FailureLimit;

  constructor(settings: CatalogSettings, counts: FailureCountsRepository) {
    const perMinute = (sort: string, failures: string, limit: number): FailureLimit =>
      new FailureLimit({ sort, failures, limit, windowSeconds: minuteSeconds }, counts);
    this.wrongKeys = perMinute('wrong_key', 'wrong keys', settings.RATE_LIMIT_WRONG_KEYS);
    this.introspections = perMinute('introspection', 'tokens that are not active', settings.RATE_LIMIT_WRONG_KEYS);
    this.refusedPosts = perMinute('refused_post', 'refused posts', settings.RATE_LIMIT_REFUSED_POSTS);
    this.failedLogins = perMinute('login', 'failed logins', settings.RATE_LIMIT_FAILED_LOGINS);
    this.guesses = new FailureLimit(
      {
        sort: 'account',
        failures: 'wrong passwords for this login',
        limit: guessesPerAccount,
        windowSeconds: accountWindowSeconds,
      },
      counts,
    );
  }
}
