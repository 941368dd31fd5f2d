import { Injectable } from '@nestjs/common';
import type { Principal } from '@rdc/auth';
import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { requireAdministrator } from '../../platform/administration/administrator.js';
import { parseRecordId } from '../../platform/properties/record-id.js';
import { actorOf, AuditTrail } from '../../publishing/audit/audit-trail.js';
import { PasswordsRepository, type PasswordHolder } from '../sessions/passwords.repository.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import type { CreatePasswordLink, PasswordLinkResponse } from './password-link.dto.js';
import { PasswordLinksRepository } from './password-links.repository.js';

const tokenBytes = 32;

/** Creates and withdraws one-time links for setting passwords. Administrators only. */
@Injectable()
export class PasswordLinksService {
  constructor(
    private readonly settings: HttpSettings,
    private readonly dataSource: DataSource,
    private readonly passwords: PasswordsRepository,
    private readonly links: PasswordLinksRepository,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates a link. The previous link of the user ends.
   *
   * @param origin the origin under which the administrator reaches the catalog
   * @throws AccessDeniedError, UnknownRecordError
   * @throws InvalidInputError if the account cannot sign in with a password, or has none and `add_password` is false
   */
  async create(
    caller: Principal,
    id: string,
    { add_password }: CreatePasswordLink,
    origin: string,
  ): Promise<PasswordLinkResponse> {
    requireAdministrator(caller);
    const token = randomBytes(tokenBytes).toString('base64url');
    const expiresAt = await this.dataSource.transaction(async (manager) => {
      const holder = await this.passwords.lock(manager, parseRecordId('user', id));
      if (!holder) throw new UnknownRecordError('user', id);
      refuseWithoutSignIn(holder, add_password);
      const end = await this.links.replace(manager, holder.id, token, add_password);
      await this.audit.record(manager, {
        ...{ actor: actorOf(caller), action: 'create-password-link', resource: 'users', recordId: holder.id },
        after: { expires_at: end, adds_password: add_password },
      });
      return end;
    });
    const page = `${origin}${this.settings.BASE_PATH ?? ''}/console/set-password`;
    return { url: `${page}#${token}`, expires_at: expiresAt };
  }

  /** Withdraws the link of a user. @throws AccessDeniedError, UnknownRecordError */
  async remove(caller: Principal, id: string): Promise<void> {
    requireAdministrator(caller);
    await this.dataSource.transaction(async (manager) => {
      const holder = await this.passwords.lock(manager, parseRecordId('user', id));
      if (!holder) throw new UnknownRecordError('user', id);
      if (!(await this.links.remove(manager, holder.id))) return;
      const entry = { actor: actorOf(caller), action: 'withdraw-password-link', resource: 'users' };
      await this.audit.record(manager, { ...entry, recordId: holder.id });
    });
  }
}

function refuseWithoutSignIn(holder: PasswordHolder, addsPassword: boolean): void {
  const refuse = (field: string, problem: string): never => {
    throw new InvalidInputError([{ field, problem }]);
  };
  if (!holder.active) refuse('', 'The user is deactivated: activate the user first');
  if (holder.technical) refuse('', 'A technical account cannot sign in: issue a key instead');
  if (holder.email === null) refuse('', 'The user has no e-mail address for signing in: add an address first');
  if (holder.hasSubject && !holder.hasPassword && !addsPassword) {
    refuse('add_password', 'must be true, because the user signs in only at the identity provider');
  }
}
