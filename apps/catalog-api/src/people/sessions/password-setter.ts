import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { accountSubject } from '../rate-limits/failure-limits.js';
import { ThrottlesService } from '../rate-limits/throttles.service.js';
import { PasswordsRepository } from './passwords.repository.js';

/** The caller that sets a password and the means of the caller. */
export interface PasswordSource {
  /** The name of the caller in the audit trail. */
  readonly actor: string;
  /** The means, such as `password link`. */
  readonly by: string;
}

/** Sets passwords without a proof of the current password. */
@Injectable()
export class PasswordSetter {
  constructor(
    private readonly passwords: PasswordsRepository,
    private readonly throttles: ThrottlesService,
    private readonly audit: AuditTrail,
  ) {}

  /** Sets the password and ends all sessions and password links of the person. @param hash the hash of the new password */
  async set(manager: EntityManager, userId: number, hash: string, { actor, by }: PasswordSource): Promise<void> {
    await this.audit.attribute(manager, actor);
    await this.passwords.set(manager, userId, hash);
    await this.audit.record(manager, {
      ...{ actor, action: 'set-password', resource: 'users', recordId: userId },
      after: { by },
    });
  }

  /** Releases the account from the limit on failures. Call this method after the commit. */
  async release(userId: number, actor: string): Promise<void> {
    await this.throttles.releaseSubject(accountSubject(userId), actor);
  }
}
