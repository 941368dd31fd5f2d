import { Injectable } from '@nestjs/common';
import type { Role } from '@rdc/auth';
import { DataSource, type EntityManager } from 'typeorm';
import type { CountedPage } from '../../platform/lists/page.dto.js';
import { readCountedPage } from '../../platform/lists/page-reader.js';
import { containsPattern } from '../../platform/lists/search-text.js';
import { allOf, fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import { User } from '../users/user.entity.js';
import type { SearchUsers } from './user-admin.dto.js';

/** A user without the hashes. */
export interface UserRow extends UserColumns {
  readonly id: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly has_password: boolean;
  readonly has_second_factor: boolean;
  readonly has_key: boolean;
  readonly key_expires_at: Date | null;
  readonly key_last_used_at: Date | null;
  readonly key_valid: boolean;
}

/** The columns of a user that administrators write. */
export interface UserColumns {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly subject: string | null;
  readonly roles: readonly Role[];
  readonly principal_investigator: boolean;
  readonly active: boolean;
  readonly technical: boolean;
}

const columns = `
  id, created_at, updated_at, first_name, last_name, email, subject, roles, active, technical,
  is_principal_investigator AS principal_investigator, password_hash IS NOT NULL AS has_password,
  EXISTS (SELECT FROM second_factors WHERE user_id = users.id AND confirmed_at IS NOT NULL) AS has_second_factor,
  key_hash IS NOT NULL AS has_key, key_expires_at, key_last_used_at,
  active AND key_hash IS NOT NULL AND (key_expires_at IS NULL OR key_expires_at > now()) AS key_valid`;

const searched = fixedSql(
  `search_form(first_name || ' ' || last_name || ' ' || coalesce(email, '') || ' ' || coalesce(subject, ''))`,
);

const byName = [
  { by: 'lower(last_name)', type: 'text' },
  { by: 'lower(first_name)', type: 'text' },
  { by: 'id', type: 'integer' },
] as const;

/** Counts the references to a user, by their names in answers. */
const references = `
  SELECT 'projects' AS what, count(*)::integer AS count
    FROM (SELECT project_id FROM project_custodians WHERE user_id = $1
          UNION SELECT project_id FROM project_personnel WHERE user_id = $1) AS project
  UNION ALL SELECT 'datasets', count(*)::integer FROM dataset_custodians WHERE user_id = $1
  UNION ALL SELECT 'contracts', count(*)::integer FROM contract_custodians WHERE user_id = $1
  UNION ALL SELECT 'grants', count(*)::integer FROM grants WHERE user_id = $1
  UNION ALL SELECT 'accesses', count(*)::integer FROM accesses WHERE user_id = $1`;

/** The statements of the administration of users. */
@Injectable()
export class UsersAdminRepository {
  constructor(private readonly dataSource: DataSource) {}

  search(query: SearchUsers): Promise<CountedPage<UserRow>> {
    const list = { columns: fixedSql(columns), from: sql`users`, where: conditionOf(query), order: byName };
    return readCountedPage<UserRow>(this.dataSource, list, query);
  }

  async find(id: number): Promise<UserRow | undefined> {
    const [row] = await this.dataSource.query<UserRow[]>(`SELECT ${columns} FROM users WHERE id = $1`, [id]);
    return row;
  }

  /** Returns the user. Until the transaction ends, no other transaction can change it or create a reference to it. */
  async lock(manager: EntityManager, id: number): Promise<UserRow | undefined> {
    const [row] = await manager.query<UserRow[]>(`SELECT ${columns} FROM users WHERE id = $1 FOR UPDATE`, [id]);
    return row;
  }

  async insert(manager: EntityManager, user: UserColumns): Promise<UserRow> {
    const [row] = await manager.query<[UserRow]>(
      `INSERT INTO users (first_name, last_name, email, subject, roles, is_principal_investigator, active, technical)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columns}`,
      valuesOf(user),
    );
    return row;
  }

  /**
   * Updates a user. A synchronisation does not activate a user whom an administrator deactivated. A new subject is
   * confirmed by the next synchronisation that lists it.
   */
  async update(manager: EntityManager, id: number, user: UserColumns): Promise<UserRow> {
    const [[row]] = await manager.query<[[UserRow]]>(
      `UPDATE users SET first_name = $1, last_name = $2, email = $3, subject = $4, roles = $5,
              is_principal_investigator = $6, active = $7, technical = $8, updated_at = now(),
              deactivated_by_sync = deactivated_by_sync AND NOT active AND NOT $7::boolean,
              confirmed_at = CASE WHEN subject = $4::varchar THEN confirmed_at END
        WHERE id = $9 RETURNING ${columns}`,
      [...valuesOf(user), id],
    );
    return row;
  }

  async remove(manager: EntityManager, id: number): Promise<void> {
    await manager.delete(User, id);
  }

  /** Returns the number of references by kind; empty if there are none. */
  async countReferences(manager: EntityManager, id: number): Promise<Record<string, number>> {
    const rows = await manager.query<{ what: string; count: number }[]>(references, [id]);
    return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ what, count }) => [what, count]));
  }
}

function conditionOf({ q, role, active, source }: SearchUsers): Sql {
  const conditions: Sql[] = [];
  if (q !== undefined && q.trim() !== '') conditions.push(sql`${searched} LIKE ${containsPattern(q)}`);
  if (role !== undefined) conditions.push(sql`${role}::text = ANY (roles)`);
  if (active !== undefined) conditions.push(sql`active = ${active === 'true'}::boolean`);
  if (source !== undefined) conditions.push(sql`(subject IS NOT NULL) = ${source === 'identity_provider'}::boolean`);
  return allOf(conditions);
}

function valuesOf(user: UserColumns): unknown[] {
  return [
    user.first_name,
    user.last_name,
    user.email,
    user.subject,
    user.roles,
    user.principal_investigator,
    user.active,
    user.technical,
  ];
}
