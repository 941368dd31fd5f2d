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

/** The credentials of a person. */
export interface Credentials {
  readonly password: string;
  /** A code of the second factor. */
  readonly code?: string | undefined;
}

/** An account with the proof that it belongs to the caller. */
export interface ProvenAccount {
  readonly user: Account;
  readonly proof: SignInProof & { readonly passwordHash: string };
}

/** A sign-in to an account. If the account does not exist, the comparison takes the same time. */
interface Claim {
  readonly account: Account | null;
  /** The subject of the account's failure limit. */
  readonly subject: string;
  readonly network: string;
}

/**
 * Compares passwords and codes, and limits failures by network and by account, so that many networks together do not get
 * more guesses. Few comparisons run concurrently, and each reads the counts first, so parallel guesses are limited like
 * sequential guesses.
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
   * @throws WrongLoginError if the password is wrong, the login is unknown, or the account is deactivated
   * @throws SecondFactorError if the password is right and the code is missing or not accepted
   * @throws RateLimitedError after too many failures, even if the password is right
   */
  check(login: string, credentials: Credentials, address: string): Promise<ProvenAccount> {
    return this.compare(() => this.repository.findAccount(login), login, credentials, networkOf(address));
  }

  /** Checks the credentials of a person who is signed in. @throws the same errors as {@link check} */
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
      const secondFactor = await this.factors.verify(account.id, code);
      // Resets the count only after the second factor: a right password alone must not restart the count of wrong codes.
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

  /** Returns the subject of the limit. For an unknown login, a keyed hash, because a person may type a password there. */
  private subjectOf(account: Account | null, login: string): string {
    if (account) return accountSubject(account.id);
    return `unknown:${this.secrets.hash('login name', login.toLowerCase()).slice(0, 32)}`;
  }
}
