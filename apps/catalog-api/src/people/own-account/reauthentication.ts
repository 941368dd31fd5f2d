import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { AccessDeniedError } from '@rdc/errors';
import { requireSession } from '../../platform/administration/require-caller.js';
import { PasswordLogin, type ProvenAccount } from '../sessions/password-login.js';
import { PasswordsRepository, type PasswordHolder } from '../sessions/passwords.repository.js';
import type { PasswordProof } from './own-account.dto.js';

/** Requires a new proof of identity before a person changes a password or a second factor. */
@Injectable()
export class Reauthentication {
  constructor(
    private readonly passwords: PasswordsRepository,
    private readonly logins: PasswordLogin,
  ) {}

  /** Returns the caller's account. @throws AccessDeniedError if the caller has no session or no local password */
  async accountOf(caller: Principal): Promise<PasswordHolder> {
    const { userId } = requireSession(caller);
    const account = await this.passwords.find(Number(userId));
    if (!account?.hasPassword) {
      throw new AccessDeniedError('The account has no local password: change the password at the identity provider.');
    }
    return account;
  }

  /**
   * Compares the password, and the code if the account has a second factor.
   *
   * @param address the address from which the request came
   * @throws WrongLoginError, SecondFactorError, RateLimitedError
   */
  prove(account: PasswordHolder, proof: PasswordProof, address: string): Promise<ProvenAccount> {
    return this.logins.confirm(account.id, { password: proof.current_password, code: proof.code }, address);
  }
}
