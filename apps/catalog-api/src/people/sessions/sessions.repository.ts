import { Injectable } from '@nestjs/common';
import type { Role } from '@rdc/auth';
import { DataSource, type EntityManager } from 'typeorm';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { User } from '../users/user.entity.js';
import type { SignInProof } from './sign-in-trail.js';

/** A person as a session needs them. */
export interface SignedInUser {
  readonly id: number;
  readonly subject: string | null;
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
}

/** A person with the hash that their password is compared with. */
export interface Account extends SignedInUser {
  readonly passwordHash: string | null;
}

/** A person with the state of the session by which they were found. */
export interface SessionUser extends SignedInUser {
  /** Whether the last use of the session was noted more than a minute ago. */
  readonly isStale: boolean;
}

/** A session that begins. */
export interface NewSession {
  readonly id: string;
  readonly userId: number;
  readonly address: string;
  readonly userAgent: string | null;
  readonly proof: SignInProof;
}

/** A session in lists. */
export interface SessionRow {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly method: string | null;
}

const userColumns = `users.id, users.subject, users.email, users.first_name AS "firstName",
  users.last_name AS "lastName", users.roles`;

const sessionColumns = `sessions.id, sessions.created_at AS "createdAt", sessions.expires_at AS "expiresAt",
  sessions.last_used_at AS "lastUsedAt", sessions.address, sessions.user_agent AS "userAgent", sessions.method`;

const accountWhere = (condition: string): string =>
  `SELECT ${userColumns}, users.password_hash AS "passwordHash"
     FROM users WHERE ${condition} AND active AND NOT technical`;

/**
 * The lock makes a sign-in wait for a deactivation or a new password that is under way, and the other way round: either
 * the session does not begin, or the trigger that ends sessions sees it.
 */
const begin = `
  WITH person AS (
    SELECT id FROM users
     WHERE id = $2 AND active AND NOT technical AND ($7::text IS NULL OR password_hash = $7) FOR SHARE)
  INSERT INTO sessions (id, user_id, expires_at, address, user_agent, method)
  SELECT $1, id, now() + make_interval(hours => $3), $4, $5, $6 FROM person RETURNING id`;

/** Sessions in the database. A session that is over, by age or for want of use, is never found. */
@Injectable()
export class SessionsRepository {
  private readonly isOpen: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: CatalogSettings,
  ) {
    const { SESSION_IDLE_MINUTES: idle } = settings;
    const isUsed = idle === 0 ? 'true' : `sessions.last_used_at > now() - interval '${String(idle)} minutes'`;
    this.isOpen = `sessions.expires_at > now() AND ${isUsed}`;
  }

  /** The active account with this e-mail address, in any case. */
  async findAccount(email: string): Promise<Account | null> {
    const [account] = await this.dataSource.query<Account[]>(accountWhere('lower(email) = lower($1)'), [email]);
    return account ?? null;
  }

  /** The active account with this id. */
  async findAccountById(id: number): Promise<Account | null> {
    const [account] = await this.dataSource.query<Account[]>(accountWhere('id = $1'), [id]);
    return account ?? null;
  }

  /** The person of a session, while the session lasts and the person may sign in. */
  async findUser(sessionId: string): Promise<SessionUser | null> {
    const [user] = await this.dataSource.query<SessionUser[]>(
      `SELECT ${userColumns}, sessions.last_used_at < now() - interval '1 minute' AS "isStale"
         FROM sessions JOIN users ON users.id = sessions.user_id
        WHERE sessions.id = $1 AND ${this.isOpen} AND users.active AND NOT users.technical`,
      [sessionId],
    );
    return user ?? null;
  }

  /** @returns false if the person may not sign in any more, or has another password than was compared */
  async begin(manager: EntityManager, { id, userId, address, userAgent, proof }: NewSession): Promise<boolean> {
    const values = [id, userId, this.settings.SESSION_HOURS, address, userAgent, proof.method];
    const begun = await manager.query<unknown[]>(begin, [...values, proof.passwordHash ?? null]);
    return begun.length > 0;
  }

  /** Removes sessions that are over; those that another transaction locks stay for the next time. */
  async removeEnded(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE NOT (${this.isOpen}) LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
    );
  }

  /** Notes that a session is in use, unless that was noted within the last minute. */
  async recordUse(id: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE sessions SET last_used_at = now() WHERE id = $1 AND last_used_at < now() - interval '1 minute'`,
      [id],
    );
  }

  /** The sessions of a person that last, newest first. */
  async list(userId: number): Promise<SessionRow[]> {
    return this.dataSource.query<SessionRow[]>(
      `SELECT ${sessionColumns} FROM sessions WHERE user_id = $1 AND ${this.isOpen} ORDER BY created_at DESC, id`,
      [userId],
    );
  }

  /** Ends one session. @returns null if there is none with this id, or if it is another person's */
  async remove(manager: EntityManager, userId: number, id: string): Promise<SessionRow | null> {
    const [[row]] = await manager.query<[SessionRow[]]>(
      `DELETE FROM sessions WHERE id = $2 AND user_id = $1 RETURNING ${sessionColumns}`,
      [userId, id],
    );
    return row ?? null;
  }

  /** Ends all sessions of a person. @param except a session that stays @returns how many ended */
  async removeAll(manager: EntityManager, userId: number, except: string | null): Promise<number> {
    // Every writer that ends several sessions of a person locks the person first, so that no two wait for each other.
    await manager.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    const [, ended] = await manager.query<[unknown, number]>(
      'DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid',
      [userId, except],
    );
    return ended;
  }

  /** Whether there is a person with this id. */
  hasUser(id: number): Promise<boolean> {
    return this.dataSource.manager.existsBy(User, { id });
  }
}
