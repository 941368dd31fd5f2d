import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { User } from '../users/user.entity.js';

/** An account in password operations. */
export interface PasswordHolder {
  readonly id: number;
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly active: boolean;
  readonly technical: boolean;
  readonly hasPassword: boolean;
  /** Whether the person has an account at the identity provider. */
  readonly hasSubject: boolean;
}

const columns = `id, email, first_name AS "firstName", last_name AS "lastName", active, technical,
  password_hash IS NOT NULL AS "hasPassword", subject IS NOT NULL AS "hasSubject"`;

/** The statements about local passwords. A trigger ends the sessions and links of a person whose password changes. */
@Injectable()
export class PasswordsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(id: number): Promise<PasswordHolder | null> {
    const [row] = await this.dataSource.query<PasswordHolder[]>(`SELECT ${columns} FROM users WHERE id = $1`, [id]);
    return row ?? null;
  }

  /** Returns the account. Until the transaction ends, no other transaction can change it. */
  async lock(manager: EntityManager, id: number): Promise<PasswordHolder | null> {
    const [row] = await manager.query<PasswordHolder[]>(`SELECT ${columns} FROM users WHERE id = $1 FOR UPDATE`, [id]);
    return row ?? null;
  }

  /** Returns and locks the account with an e-mail address, ignoring case. */
  async lockByEmail(manager: EntityManager, email: string): Promise<PasswordHolder | null> {
    const [row] = await manager.query<PasswordHolder[]>(
      `SELECT ${columns} FROM users WHERE lower(email) = lower($1) FOR UPDATE`,
      [email],
    );
    return row ?? null;
  }

  /** Sets the password of an account. */
  async set(manager: EntityManager, id: number, hash: string): Promise<void> {
    await manager.update(User, id, { passwordHash: hash });
  }

  /** Replaces a password hash. @returns false if the stored hash is not `previous` */
  async replace(manager: EntityManager, id: number, previous: string, hash: string): Promise<boolean> {
    const [, replaced] = await manager.query<[unknown, number]>(
      'UPDATE users SET password_hash = $3, updated_at = now() WHERE id = $1 AND password_hash = $2',
      [id, previous, hash],
    );
    return replaced > 0;
  }
}
