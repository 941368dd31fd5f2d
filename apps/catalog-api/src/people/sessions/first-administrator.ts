import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { SessionSettings } from './session.settings.js';
import { hashPassword } from './password.js';

/** Whether no account has a local password. Accounts are never deleted, so the condition is false after the first start. */
const isFirstStart = 'NOT EXISTS (SELECT FROM users WHERE password_hash IS NOT NULL)';

const createAdministrator = `
  INSERT INTO users (email, password_hash, roles)
  SELECT $1, $2, '{admin}' WHERE ${isFirstStart}
  ON CONFLICT (lower(email)) DO UPDATE
     SET password_hash = excluded.password_hash, active = true, updated_at = now(),
         roles = CASE WHEN 'admin' = ANY (users.roles) THEN users.roles ELSE users.roles || '{admin}' END
  RETURNING id, email, roles`;

/** Creates the first administrator from `ADMIN_EMAIL` and `ADMIN_PASSWORD`. Later starts change nothing. */
@Injectable()
export class FirstAdministrator implements OnApplicationBootstrap {
  constructor(
    private readonly settings: SessionSettings,
    private readonly dataSource: DataSource,
    private readonly trail: AuditTrail,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = this.settings;
    if (email === undefined || password === undefined || !(await this.isFirstStart())) return;
    const hash = await hashPassword(password);
    await this.dataSource.transaction(async (manager) => {
      // Replicas that start together wait here. The second replica finds the administrator of the first.
      await manager.query(`SELECT pg_advisory_xact_lock(hashtext('first administrator'))`);
      const [created] = await manager.query<{ id: number }[]>(createAdministrator, [email, hash]);
      if (!created) return;
      await this.trail.record(manager, {
        actor: 'first-start',
        action: 'create',
        resource: 'users',
        recordId: created.id,
        after: created,
      });
    });
  }

  private async isFirstStart(): Promise<boolean> {
    const [{ first }] = await this.dataSource.query<[{ first: boolean }]>(`SELECT ${isFirstStart} AS first`);
    return first;
  }
}
