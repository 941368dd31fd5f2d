import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CatalogSettings } from '../settings.js';
import { hashPassword } from './password.js';

/** A start is the first one until somebody has a local password; accounts are never deleted, so it is never again. */
const isFirstStart = 'NOT EXISTS (SELECT FROM users WHERE password_hash IS NOT NULL)';

/** Replicas that start together wait for each other, and the second finds that it was not the first. */
const makeAdministrator = `
  WITH made AS (
    INSERT INTO users (email, password_hash, roles)
    SELECT $1, $2, '{admin}' WHERE ${isFirstStart}
    ON CONFLICT (lower(email)) DO UPDATE
       SET password_hash = excluded.password_hash, active = true, updated_at = now(),
           roles = CASE WHEN 'admin' = ANY (users.roles) THEN users.roles ELSE users.roles || '{admin}' END
    RETURNING id, email, roles)
  INSERT INTO audit_entries (actor, action, resource, record_id, after)
  SELECT 'first-start', 'create', 'users', id, json_build_object('email', email, 'roles', roles) FROM made`;

/** Makes the first administrator out of `ADMIN_EMAIL` and `ADMIN_PASSWORD`. Later starts change nothing. */
@Injectable()
export class FirstAdministrator implements OnApplicationBootstrap {
  constructor(
    private readonly settings: CatalogSettings,
    private readonly dataSource: DataSource,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = this.settings;
    if (email === undefined || password === undefined || !(await this.isFirstStart())) return;
    const hash = await hashPassword(password);
    await this.dataSource.transaction(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(hashtext('first administrator'))`);
      await manager.query(makeAdministrator, [email, hash]);
    });
  }

  private async isFirstStart(): Promise<boolean> {
    const [{ first }] = await this.dataSource.query<[{ first: boolean }]>(`SELECT ${isFirstStart} AS first`);
    return first;
  }
}
