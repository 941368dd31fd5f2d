import { networkOf } from '@rdc/auth';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { FailureLimits } from '../rate-limits/failure-limits.js';
import { WrongLoginError } from './errors.js';
import { verifyPassword } from './password.js';
import { SessionsRepository, type SignedInUser } from './sessions.repository.js';
import { Turnstile } from './turnstile.js';

/** Passwords that one process compares at once: each takes 32 MiB and a thread. */
const atOnce = 2;

/**
 * Compares passwords, and slows down whoever guesses: by network, and by account so that many networks together get no
 * further. Because only a few are compared at once, and each asks for the counts first, a burst of parallel guesses is
 * stopped like a slow one.
 */
@Injectable()
export class PasswordLogin {
  private readonly turnstile = new Turnstile(atOnce);

  constructor(
    private readonly repository: SessionsRepository,
    private readonly limits: FailureLimits,
  ) {}

  /**
   * @throws WrongLoginError, the same for a wrong password, an unknown login and a deactivated account
   * @throws RateLimitedError when there were too many wrong ones; then a right one is not looked at either
   */
  check(login: string, password: string, address: string): Promise<SignedInUser> {
    return this.turnstile.pass(() => this.compare(login, password, networkOf(address)));
  }

  private async compare(login: string, password: string, network: string): Promise<SignedInUser> {
    const guessed = createHash('sha256').update(login.toLowerCase()).digest('hex');
    await this.limits.failedLogins.refuseIfReached(network);
    await this.limits.guesses.refuseIfReached(guessed);
    const account = await this.repository.findAccount(login);
    if ((await verifyPassword(password, account?.passwordHash ?? null)) && account) {
      await this.limits.guesses.forgive(guessed);
      return account;
    }
    await this.limits.failedLogins.note(network);
    await this.limits.guesses.note(guessed);
    throw new WrongLoginError();
  }
}
