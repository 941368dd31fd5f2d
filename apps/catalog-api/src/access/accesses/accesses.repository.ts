import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CountedPage } from '../../platform/lists/page.dto.js';
import { readCountedPage } from '../../platform/lists/page-reader.js';
import { containsPattern } from '../../platform/lists/search-text.js';
import { allOf, fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import { Access } from './access.entity.js';
import type { AccessResponse, AccessStatus, SearchAccesses } from './access.dto.js';

/** The columns of an access that an administrator grants. */
export interface ManualAccess {
  readonly datasetId: number;
  readonly userId: number | null;
  readonly contactId: number | null;
  readonly expiresAt: Date | null;
  readonly notes: string | null;
}

const columns = `
  access.id, access.created_at, access.updated_at, access.dataset_id, access.user_id, access.contact_id,
  access.subject, access.application, access.status, access.granted_at, access.expires_at, access.revoked_at,
  access.attempts, access.next_attempt_at, access.notes,
  CASE WHEN access.application IS NULL THEN NULL WHEN access.confirmation_due THEN 'confirmation'
       WHEN access.status = 'precreated' THEN 'person' END AS waits_for,
  access.status = 'active' AND (access.expires_at IS NULL OR access.expires_at > now()) AS in_force,
  dataset.external_id AS dataset_external_id, dataset.name AS dataset_name,
  nullif(trim(coalesce(person.first_name || ' ' || person.last_name, contact.first_name || ' ' || contact.last_name)), '')
    AS person_name`;

const from = `
  accesses AS access LEFT JOIN datasets AS dataset ON dataset.id = access.dataset_id
  LEFT JOIN users AS person ON person.id = access.user_id
  LEFT JOIN contacts AS contact ON contact.id = access.contact_id`;

/** The condition for accesses in force that end within 30 days. */
const endingSoon = `access.status = 'active' AND access.expires_at > now()
  AND access.expires_at < now() + interval '30 days'`;

/**
 * Returns the condition for accesses whose person or dataset matches a pattern. Each subquery uses the expression of its
 * table's index, so Postgres reads few rows before it reads accesses.
 */
const matching = (pattern: Sql): Sql => sql`access.id IN (
  SELECT id FROM accesses WHERE user_id IN (SELECT id FROM users WHERE
    search_form(first_name || ' ' || last_name || ' ' || coalesce(email, '') || ' ' || coalesce(subject, '')) LIKE ${pattern})
  UNION ALL SELECT id FROM accesses WHERE dataset_id IN (SELECT id FROM datasets WHERE
    search_form(name || ' ' || coalesce(external_id, '')) LIKE ${pattern})
  UNION ALL SELECT id FROM accesses WHERE contact_id IN (SELECT id FROM contacts WHERE
    search_form(first_name || ' ' || last_name) LIKE ${pattern})
  UNION ALL SELECT id FROM accesses WHERE user_id IS NULL AND search_form(subject) LIKE ${pattern})`;

/** The statements of the administration of accesses. */
@Injectable()
export class AccessesRepository {
  constructor(private readonly dataSource: DataSource) {}

  search(query: SearchAccesses): Promise<CountedPage<AccessResponse>> {
    const order = [{ by: 'access.id', type: 'integer' }] as const;
    const list = { columns: fixedSql(columns), from: fixedSql(from), where: conditionOf(query), order };
    return readCountedPage(this.dataSource, { ...list, descending: true }, query);
  }

  async find(id: number, manager: EntityManager = this.dataSource.manager): Promise<AccessResponse | undefined> {
    const [row] = await manager.query<AccessResponse[]>(`SELECT ${columns} FROM ${from} WHERE access.id = $1`, [id]);
    return row;
  }

  /** Returns the access. Until the transaction ends, no other transaction can change it. */
  async lock(manager: EntityManager, id: number): Promise<AccessResponse | undefined> {
    await manager.query('SELECT 1 FROM accesses WHERE id = $1 FOR UPDATE', [id]);
    return this.find(id, manager);
  }

  /** Whether the contact exists. Until the transaction ends, the contact cannot be removed. */
  async hasContact(manager: EntityManager, id: number): Promise<boolean> {
    const rows = await manager.query<unknown[]>('SELECT 1 FROM contacts WHERE id = $1 FOR KEY SHARE', [id]);
    return rows.length > 0;
  }

  /** Returns the id of an open access to the same dataset that an administrator granted to the same person. */
  async findManual(manager: EntityManager, access: ManualAccess): Promise<number | undefined> {
    const [row] = await manager.query<{ id: number }[]>(
      `SELECT id FROM accesses
        WHERE dataset_id = $1 AND application IS NULL AND user_id IS NOT DISTINCT FROM $2
          AND contact_id IS NOT DISTINCT FROM $3 AND status <> 'terminated'
          AND (expires_at IS NULL OR expires_at > now())`,
      [access.datasetId, access.userId, access.contactId],
    );
    return row?.id;
  }

  /** Creates an access that begins now. @returns the id */
  async insert(manager: EntityManager, access: ManualAccess): Promise<number> {
    const { identifiers } = await manager.insert(Access, { ...access, status: 'active', grantedAt: () => 'now()' });
    return (identifiers as [Pick<Access, 'id'>])[0].id;
  }

  async update(manager: EntityManager, id: number, expiresAt: Date | null, notes: string | null): Promise<void> {
    await manager.update(Access, id, { expiresAt, notes });
  }

  /** Sets the status and cancels the next attempt to find the person. */
  async setStatus(manager: EntityManager, id: number, status: AccessStatus): Promise<void> {
    await manager.update(Access, id, { status, nextAttemptAt: null });
  }

  /** Makes the next attempt due now and restarts the count of attempts. */
  async resetAttempts(manager: EntityManager, id: number): Promise<void> {
    await manager.update(Access, id, { attempts: 0, nextAttemptAt: () => 'now()' });
  }
}

function conditionOf({ q, user_id, contact_id, subject, dataset, status, ending }: SearchAccesses): Sql {
  const conditions: Sql[] = [];
  if (q !== undefined && q.trim() !== '') conditions.push(matching(containsPattern(q)));
  if (user_id !== undefined) conditions.push(ofPerson('user', user_id));
  if (contact_id !== undefined) conditions.push(ofPerson('contact', contact_id));
  if (subject !== undefined) conditions.push(sql`access.subject = ${subject}`);
  if (dataset !== undefined) conditions.push(ofDataset(dataset));
  if (status !== undefined) conditions.push(sql`access.status = ${status}`);
  if (ending !== undefined) conditions.push(fixedSql(endingSoon));
  return allOf(conditions);
}

function ofPerson(kind: 'user' | 'contact', id: string): Sql {
  const column = fixedSql(`access.${kind}_id`);
  const subject = sql`(SELECT subject FROM ${fixedSql(`${kind}s`)} WHERE id = ${id}::integer)`;
  return sql`${column} = ${id}::integer OR access.subject = ${subject}`;
}

function ofDataset(text: string): Sql {
  if (/^\d{1,9}$/.test(text)) return sql`access.dataset_id = ${text}::integer`;
  return sql`access.dataset_id = (SELECT id FROM datasets WHERE external_id = ${text})`;
}
