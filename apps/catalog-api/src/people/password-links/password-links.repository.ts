import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountSecrets } from '../../platform/secrets/account-secrets.js';
import { PasswordLinksSettings } from './password-links.settings.js';
import { PasswordLink } from './password-link.entity.js';

/** The account that a link belongs to. */
export interface LinkHolder {
  readonly id: number;
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
}

/** The condition for a usable link: the link is open, and the account may have a local password. */
const usable = `
  FROM password_links AS link JOIN users ON users.id = link.user_id
 WHERE link.token_hash = ANY ($1::text[]) AND link.expires_at > now() AND users.active AND NOT users.technical
   AND (users.subject IS NULL OR users.password_hash IS NOT NULL OR link.adds_password)`;

/** The statements about one-time links. */
@Injectable()
export class PasswordLinksRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: AccountSecrets,
    private readonly settings: PasswordLinksSettings,
  ) {}

  /** Stores a link, which replaces the previous link of the person. @returns the end of the link */
  async replace(manager: EntityManager, userId: number, token: string, addsPassword: boolean): Promise<Date> {
    const [{ expiresAt }] = await manager.query<[{ expiresAt: Date }]>(
      `INSERT INTO password_links (user_id, token_hash, adds_password, expires_at)
       VALUES ($1, $2, $3, now() + make_interval(hours => $4))
       ON CONFLICT (user_id) DO UPDATE
          SET token_hash = excluded.token_hash, adds_password = excluded.adds_password, created_at = now(),
              expires_at = excluded.expires_at
       RETURNING expires_at AS "expiresAt"`,
      [userId, this.secrets.hash('password link', token), addsPassword, this.settings.PASSWORD_LINK_HOURS],
    );
    return expiresAt;
  }

  /** @returns whether the person had a link */
  async remove(manager: EntityManager, userId: number): Promise<boolean> {
    const { affected } = await manager.delete(PasswordLink, { userId });
    return affected === 1;
  }

  /** Returns the account of a usable link. */
  async findHolder(token: string): Promise<LinkHolder | null> {
    const [holder] = await this.dataSource.query<LinkHolder[]>(
      `SELECT users.id, users.email, users.first_name AS "firstName", users.last_name AS "lastName" ${usable}`,
      [this.secrets.candidates('password link', token)],
    );
    return holder ?? null;
  }

  /** Locks the account and consumes its link. @returns false if the link is no longer usable */
  async use(manager: EntityManager, userId: number, token: string): Promise<boolean> {
    const hashes = this.secrets.candidates('password link', token);
    // Locks the account first, as every writer of accounts does, and then reads the current link.
    await manager.query('SELECT 1 FROM users WHERE id = $1 FOR UPDATE', [userId]);
    const [, used] = await manager.query<[unknown, number]>(
      `DELETE FROM password_links WHERE user_id IN (SELECT users.id ${usable} AND users.id = $2)`,
      [hashes, userId],
    );
    return used > 0;
  }
}
