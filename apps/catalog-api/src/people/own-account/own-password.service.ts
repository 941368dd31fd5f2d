import { Injectable } from '@nestjs/common';
import { InvalidInputError } from '@rdc/errors';
import { DataSource } from 'typeorm';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { WrongLoginError } from '../sessions/errors.js';
import { NewPasswords } from '../sessions/new-passwords.js';
import { PasswordsRepository } from '../sessions/passwords.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import type { SessionResponse } from '../sessions/sign-in.dto.js';
import type { RequestOrigin } from '../sessions/request-origin.js';
import type { ChangePassword } from './own-account.dto.js';
import { Reauthentication } from './reauthentication.js';

/** Changes the caller's own password. */
@Injectable()
export class OwnPasswordService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly reauthentication: Reauthentication,
    private readonly newPasswords: NewPasswords,
    private readonly passwords: PasswordsRepository,
    private readonly sessions: SessionsService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Changes the caller's password and ends all sessions of the caller. The browser of the request gets a new session.
   *
   * @throws InvalidInputError for `new_password` if the password is not accepted
   * @throws AccessDeniedError, WrongLoginError, SecondFactorError, RateLimitedError
   */
  async change(input: ChangePassword, request: RequestOrigin): Promise<SessionResponse> {
    const account = await this.reauthentication.accountOf(request.caller);
    // Checks the new password before the proof, so that a refused password consumes no code of the second factor.
    this.newPasswords.check('new_password', input.new_password, account);
    if (input.new_password === input.current_password) {
      throw new InvalidInputError([{ field: 'new_password', problem: 'must differ from the current password' }]);
    }
    const { user, proof } = await this.reauthentication.prove(account, input, request.address);
    const hash = await this.newPasswords.hash(input.new_password);
    const sessionId = await this.dataSource.transaction(async (manager) => {
      const actor = actorOf(request.caller);
      await this.audit.attribute(manager, actor);
      const isReplaced = await this.passwords.replace(manager, user.id, proof.passwordHash, hash);
      if (!isReplaced) throw new WrongLoginError();
      await this.audit.record(manager, { actor, action: 'change-password', resource: 'users', recordId: user.id });
      return this.sessions.begin(manager, user.id, request, { ...proof, passwordHash: hash });
    });
    return this.sessions.issueCookie(user, sessionId, request);
  }
}
