import { networkOf } from '@rdc/auth';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { FailureLimits } from '../rate-limits/failure-limits.js';
import { NewPasswords } from '../sessions/new-passwords.js';
import { PasswordSetter } from '../sessions/password-setter.js';
import { refuseOtherSites } from '../sessions/sessions.service.js';
import { SignInTrail } from '../sessions/sign-in-trail.js';
import type { RequestOrigin } from '../sessions/request-origin.js';
import { PasswordLinkRefusedError } from './errors.js';
import type { UsePasswordLink } from './password-link.dto.js';
import { PasswordLinksRepository } from './password-links.repository.js';

/** Sets a password with a one-time link. Every caller may try; wrong tokens count as failed logins. */
@Injectable()
export class PasswordLinkUse {
  constructor(
    private readonly dataSource: DataSource,
    private readonly links: PasswordLinksRepository,
    private readonly newPasswords: NewPasswords,
    private readonly setter: PasswordSetter,
    private readonly limits: FailureLimits,
    private readonly trail: SignInTrail,
  ) {}

  /**
   * Sets the password, ends all sessions of the person and consumes the link. The browser is not signed in and the second
   * factor stays as it is, because a link proves less than a sign-in.
   *
   * @throws PasswordLinkRefusedError, RateLimitedError
   * @throws InvalidInputError for `password` if the password is not accepted; the link can still be used
   */
  async use({ token, password }: UsePasswordLink, request: RequestOrigin): Promise<void> {
    refuseOtherSites(request);
    const network = networkOf(request.address);
    await this.limits.failedLogins.refuseIfReached(network);
    const holder = await this.links.findHolder(token);
    if (!holder) return this.refuse(network);
    this.newPasswords.check('password', password, holder);
    const hash = await this.newPasswords.hash(password);
    const actor = `user:${String(holder.id)}`;
    const isUsed = await this.dataSource.transaction(async (manager) => {
      if (!(await this.links.use(manager, holder.id, token))) return false;
      await this.setter.set(manager, holder.id, hash, { actor, by: 'password link' });
      return true;
    });
    if (!isUsed) return this.refuse(network);
    await this.setter.release(holder.id, actor);
  }

  private async refuse(network: string): Promise<never> {
    await this.trail.refused('unknown', 'link');
    await this.limits.failedLogins.recordFailure(network);
    throw new PasswordLinkRefusedError();
  }
}
