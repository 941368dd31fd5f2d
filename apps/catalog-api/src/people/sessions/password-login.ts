import { networkOf } from '@rdc/auth';
import { Injectable } from '@nestjs/common';
import { accountSubject, FailureLimits } from '../rate-limits/failure-limits.js';
import { AccountSecrets } from '../../platform/secrets/account-secrets.js';
import { SecondFactorError } from '../second-factor/errors.js';
import { SecondFactors } from '../second-factor/second-factors.js';
import { WrongLoginError } from './errors.js';
import { verifyPassword } from './password.js';
import { SessionsRepository, type Account } from './sessions.repository.js';
import { SignInTrail, type RefusalCause, type SignInProof } from './sign-in-trail.js';
import { LoginThrottle } from './login-throttle.js';

/** What a person proves an account with. */
export interface Credentials {
  readonly password: string;
  /** A code of the second factor. */
  readonly code?: string | undefined;
}

/** An account, and how the caller proved that it is theirs. */
export interface ProvenAccount {
  readonly user: Account;
  readonly proof: SignInProof & { readonly passwordHash: string };
}

/** The account that is claimed: null if there is none. Both cases take the same work. */
interface Claim {
  readonly account: Account | null;
  /** The subject of the account's limit. */
  readonly subject: string;
  readonly network: string;
}

/**
 * Compares passwords and codes, and slows down guessing: by network, and by account so that many networks together get
 * no further. Few comparisons run at once, and each reads the counts first, so a burst of parallel guesses is stopped
 * like a slow one.
 */
@Injectable()
export class PasswordLogin {
  constructor(
    private readonly repository: SessionsRepository,
    private readonly limits: FailureLimits,
    private readonly secrets: AccountSecrets,
    private readonly factors: SecondFactors,
    private readonly trail: SignInTrail,
    private readonly throttle: LoginThrottle,
  ) {}

  /**
   * Checks a sign-in.
   *
   * @throws WrongLoginError, the same for a wrong password, an unknown login and a deactivated account
   * @throws SecondFactorError if the password is right and the code is missing or not accepted
   * @throws RateLimitedError after too many failures; then a right password is not compared either
   */
  check(login: string, credentials: Credentials, address: string): Promise<ProvenAccount> {
    return this.compare(() => this.repository.findAccount(login), login, credentials, networkOf(address));
  }

  /** Checks the password, and the code if there is a second factor, of a person who is signed in. @throws as `check` */
  confirm(userId: number, credentials: Credentials, address: string): Promise<ProvenAccount> {
    const find = (): Promise<Account | null> => this.repository.findAccountById(userId);
    return this.compare(find, '', credentials, networkOf(address));
  }

  private compare(
    find: () => Promise<Account | null>,
    login: string,
    credentials: Credentials,
    network: string,
  ): Promise<ProvenAccount> {
    return this.throttle.run(async () => {
      await this.limits.failedLogins.refuseIfReached(network);
      const account = await find();
      const claim = { account, subject: this.subjectOf(account, login), network };
      await this.limits.guesses.refuseIfReached(claim.subject);
      return this.prove(claim, credentials);
    });
  }

  private async prove(claim: Claim, { password, code }: Credentials): Promise<ProvenAccount> {
    const { account, subject } = claim;
    const passwordHash = account?.passwordHash ?? null;
    const isRight = await verifyPassword(password, passwordHash);
    if (!isRight || !account || passwordHash === null) {
      return this.fail(claim, account ? 'password' : 'account', new WrongLoginError());
    }
    try {
      const secondFactor = await this.factors.pass(account.id, code);
      // Only now: a right password alone must not restart the count of wrong codes.
      await this.limits.guesses.reset(subject);
      return { user: account, proof: { method: 'password', secondFactor, passwordHash } };
    } catch (error) {
      if (error instanceof SecondFactorError && error.reason === 'wrong')
        return this.fail(claim, 'second_factor', error);
      throw error;
    }
  }

  private async fail({ account, subject, network }: Claim, reason: RefusalCause, error: Error): Promise<never> {
    await this.trail.refused(account ? String(account.id) : subject, reason);
    await this.limits.failedLogins.recordFailure(network);
    await this.limits.guesses.recordFailure(subject);
    throw error;
  }

  /** What was typed as login may be a password: of an unknown login, only a keyed hash is stored. */
  private subjectOf(account: Account | null, login: string): string {
    if (account) return accountSubject(account.id);
    return `unknown:${this.secrets.hash('login name', login.toLowerCase()).slice(0, 32)}`;
  }
}
