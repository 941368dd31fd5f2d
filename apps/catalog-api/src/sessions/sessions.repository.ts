import { Injectable } from '@nestjs/common';
import type { Role } from '@rdc/auth';
import { DataSource } from 'typeorm';

/** A person as a session needs them. */
export interface SignedInUser {
  readonly id: number;
  readonly subject: string | null;
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly roles: readonly Role[];
}

/** A person with what their password is compared with. */
export interface Account extends SignedInUser {
  readonly passwordHash: string | null;
}

const userColumns = `users.id, users.subject, users.email, users.first_name AS "firstName",
  users.last_name AS "lastName", users.roles`;

/** Sessions in the database. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The active account with this e-mail address, in any case. */
  async findAccount(email: string): Promise<Account | null> {
    const [account] = await this.dataSource.query<Account[]>(
      `SELECT ${userColumns}, users.password_hash AS "passwordHash"
         FROM users WHERE lower(email) = lower($1) AND active AND NOT technical`,
      [email],
    );
    return account ?? null;
  }

  /** Whose session this is, while it lasts and they may sign in. */
  async findUser(sessionId: string): Promise<SignedInUser | null> {
    const [user] = await this.dataSource.query<SignedInUser[]>(
      `SELECT ${userColumns} FROM sessions JOIN users ON users.id = sessions.user_id
        WHERE sessions.id = $1 AND sessions.expires_at > now() AND users.active AND NOT users.technical`,
      [sessionId],
    );
    return user ?? null;
  }

  /** Opens a session, and clears away those that are over. */
  async create(id: string, userId: number, hours: number): Promise<void> {
    await this.dataSource.query(
      `WITH ended AS (DELETE FROM sessions WHERE expires_at <= now())
       INSERT INTO sessions (id, user_id, expires_at) VALUES ($1, $2, now() + make_interval(hours => $3))`,
      [id, userId, hours],
    );
  }

  async remove(id: string): Promise<void> {
    await this.dataSource.query('DELETE FROM sessions WHERE id = $1', [id]);
  }
}
