import { Injectable } from '@nestjs/common';
import type { Role } from '@rdc/auth';
import { DataSource, type EntityManager } from 'typeorm';
import { SessionSettings } from './session.settings.js';
import { User } from '../users/user.entity.js';
import type { SignInProof } from './sign-in-trail.js';

/** The members of a person that a session needs. */
export interface SignedInUser {
  readonly id: number;
  readonly subject: string | null;
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
}

/** A person with the hash of their password. */
export interface Account extends SignedInUser {
  readonly passwordHash: string | null;
}

/** The person of a session. */
export interface SessionUser extends SignedInUser {
  /** Whether the recorded last use is more than a minute ago. */
  readonly isStale: boolean;
}

/** The columns of a new session. */
export interface NewSession {
  readonly id: string;
  readonly userId: number;
  readonly address: string;
  readonly userAgent: string | null;
  readonly proof: SignInProof;
}

/** A session without its user. */
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
 * Locks the account, so that a sign-in and a concurrent deactivation or password change run one after the other: either
 * the session does not begin, or the trigger ends it.
 */
const begin = `
  WITH person AS (
    SELECT id FROM users
     WHERE id = $2 AND active AND NOT technical AND ($7::text IS NULL OR password_hash = $7) FOR SHARE)
  INSERT INTO sessions (id, user_id, expires_at, address, user_agent, method)
  SELECT $1, id, now() + make_interval(hours => $3), $4, $5, $6 FROM person RETURNING id`;

/** The statements about sessions. Expired and idle sessions are not found. */
@Injectable()
export class SessionsRepository {
  private readonly isOpen: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: SessionSettings,
  ) {
    const { SESSION_IDLE_MINUTES: idle } = settings;
    const isUsed = idle === 0 ? 'true' : `sessions.last_used_at > now() - interval '${String(idle)} minutes'`;
    this.isOpen = `sessions.expires_at > now() AND ${isUsed}`;
  }

  /** Returns the active account with this e-mail address, ignoring case. */
  async findAccount(email: string): Promise<Account | null> {
    const [account] = await this.dataSource.query<Account[]>(accountWhere('lower(email) = lower($1)'), [email]);
    return account ?? null;
  }

  /** Returns the active account with this id. */
  async findAccountById(id: number): Promise<Account | null> {
    const [account] = await this.dataSource.query<Account[]>(accountWhere('id = $1'), [id]);
    return account ?? null;
  }

  /** Returns the person of a session; null if the session has ended or the person may not sign in. */
  async findUser(sessionId: string): Promise<SessionUser | null> {
    const [user] = await this.dataSource.query<SessionUser[]>(
      `SELECT ${userColumns}, sessions.last_used_at < now() - interval '1 minute' AS "isStale"
         FROM sessions JOIN users ON users.id = sessions.user_id
        WHERE sessions.id = $1 AND ${this.isOpen} AND users.active AND NOT users.technical`,
      [sessionId],
    );
    return user ?? null;
  }

  /** Creates a session. @returns false if the person may no longer sign in, or the password changed after the comparison */
  async begin(manager: EntityManager, { id, userId, address, userAgent, proof }: NewSession): Promise<boolean> {
    const values = [id, userId, this.settings.SESSION_HOURS, address, userAgent, proof.method];
    const begun = await manager.query<unknown[]>(begin, [...values, proof.passwordHash ?? null]);
    return begun.length > 0;
  }

  /** Removes up to 1,000 sessions that have ended. Skips sessions that another transaction has locked. */
  async removeEnded(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE NOT (${this.isOpen}) LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
    );
  }

  /** Records the use of a session, unless a use was recorded within the last minute. */
  async recordUse(id: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE sessions SET last_used_at = now() WHERE id = $1 AND last_used_at < now() - interval '1 minute'`,
      [id],
    );
  }

  /** Returns the open sessions of a person, newest first. */
  async list(userId: number): Promise<SessionRow[]> {
    return this.dataSource.query<SessionRow[]>(
      `SELECT ${sessionColumns} FROM sessions WHERE user_id = $1 AND ${this.isOpen} ORDER BY created_at DESC, id`,
      [userId],
    );
  }

  /** Ends one session. @returns the ended session; null if the person has no session with this id */
  async remove(manager: EntityManager, userId: number, id: string): Promise<SessionRow | null> {
    const [[row]] = await manager.query<[SessionRow[]]>(
      `DELETE FROM sessions WHERE id = $2 AND user_id = $1 RETURNING ${sessionColumns}`,
      [userId, id],
    );
    return row ?? null;
  }

  /** Ends all sessions of a person. @param except a session that stays open @returns the number of ended sessions */
  async removeAll(manager: EntityManager, userId: number, except: string | null): Promise<number> {
    // Every writer that ends several sessions of a person locks the person first, to avoid a deadlock.
    await manager.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    const [, ended] = await manager.query<[unknown, number]>(
      'DELETE FROM sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2::uuid',
      [userId, except],
    );
    return ended;
  }

  /** Whether a person has this id. */
  hasUser(id: number): Promise<boolean> {
    return this.dataSource.manager.existsBy(User, { id });
  }
}
