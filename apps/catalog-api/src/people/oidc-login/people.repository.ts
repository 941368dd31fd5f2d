import { Injectable } from '@nestjs/common';
import type { Role } from '@rdc/auth';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { AccountSecrets } from '../../platform/secrets/account-secrets.js';
import type { SignedInUser } from '../sessions/sessions.repository.js';

/** The statements about people who sign in at the identity provider. */
@Injectable()
export class PeopleRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly trail: AuditTrail,
    private readonly secrets: AccountSecrets,
  ) {}

  /** Returns the active person with this subject. */
  async findActive(subject: string): Promise<SignedInUser | null> {
    const [user] = await this.dataSource.query<SignedInUser[]>(
      `SELECT id, subject, email, first_name AS "firstName", last_name AS "lastName", roles
         FROM users WHERE subject = $1 AND active AND NOT technical`,
      [subject],
    );
    return user ?? null;
  }

  /** Returns the name for the audit trail: the id of the user, or `unknown:` and a keyed hash of the subject. */
  async auditNameOf(subject: string): Promise<string> {
    const [user] = await this.dataSource.query<{ id: number }[]>('SELECT id FROM users WHERE subject = $1', [subject]);
    return user ? String(user.id) : `unknown:${this.secrets.hash('login name', subject).slice(0, 32)}`;
  }

  /** Sets the roles of a person. If the person has exactly these roles, writes nothing. */
  async setRoles(userId: number, roles: readonly Role[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [user] = await manager.query<{ roles: Role[] }[]>('SELECT roles FROM users WHERE id = $1 FOR UPDATE', [
        userId,
      ]);
      const before = user?.roles ?? [];
      if (before.length === roles.length && roles.every((role) => before.includes(role))) return;
      await manager.query('UPDATE users SET roles = $2, updated_at = now() WHERE id = $1', [userId, roles]);
      await this.trail.record(manager, {
        actor: 'login',
        action: 'update',
        resource: 'users',
        recordId: userId,
        before: { roles: before },
        after: { roles },
      });
    });
  }
}
