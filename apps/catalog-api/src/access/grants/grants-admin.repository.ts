import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CountedPage } from '../../platform/lists/page.dto.js';
import { readCountedPage } from '../../platform/lists/page-reader.js';
import { wordOf, type ProtectedResource } from '../../publishing/writing/protected-record.js';
import { allOf, fixedSql, sql, type Sql } from '../../platform/database/sql.js';
import type { GrantResponse, SearchGrants } from './grant-admin.dto.js';
import { Grant } from './grant.entity.js';

/** The columns of a new grant. */
export interface NewGrant {
  readonly userId: number;
  readonly resource: ProtectedResource;
  readonly recordId: number;
  /** The caller who creates the grant, as named in the audit trail. */
  readonly grantedBy: string;
}

const columns = `
  held.id, held.user_id, held.granted_by, held.created_at,
  trim(person.first_name || ' ' || person.last_name) AS user_name,
  CASE WHEN held.project_id IS NOT NULL THEN 'projects' WHEN held.dataset_id IS NOT NULL THEN 'datasets'
       ELSE 'contracts' END AS resource,
  coalesce(held.project_id, held.dataset_id, held.contract_id) AS record_id,
  coalesce(project.acronym, dataset.name, contract.name, '') AS record_name`;

const from = `
  grants AS held LEFT JOIN users AS person ON person.id = held.user_id
  LEFT JOIN projects AS project ON project.id = held.project_id
  LEFT JOIN datasets AS dataset ON dataset.id = held.dataset_id
  LEFT JOIN contracts AS contract ON contract.id = held.contract_id`;

/** The statements about grants. */
@Injectable()
export class GrantsAdminRepository {
  constructor(private readonly dataSource: DataSource) {}

  search(query: SearchGrants): Promise<CountedPage<GrantResponse>> {
    const order = [{ by: 'held.id', type: 'integer' }] as const;
    const list = { columns: fixedSql(columns), from: fixedSql(from), where: conditionOf(query), order };
    return readCountedPage(this.dataSource, { ...list, descending: true }, query);
  }

  async find(manager: EntityManager, id: number): Promise<GrantResponse | undefined> {
    const [row] = await manager.query<GrantResponse[]>(`SELECT ${columns} FROM ${from} WHERE held.id = $1`, [id]);
    return row;
  }

  /** Creates a grant unless the user has it. Returns the id of the new or the existing grant. */
  async createIfAbsent(manager: EntityManager, grant: NewGrant): Promise<{ id: number; created: boolean }> {
    const column = `${wordOf[grant.resource]}_id`;
    const [added] = await manager.query<{ id: number }[]>(
      `INSERT INTO grants (user_id, ${column}, granted_by) VALUES ($1, $2, $3)
       ON CONFLICT (user_id, ${column}) DO NOTHING RETURNING id`,
      [grant.userId, grant.recordId, grant.grantedBy],
    );
    if (added) return { id: added.id, created: true };
    const [held] = await manager.query<[{ id: number }]>(
      `SELECT id FROM grants WHERE user_id = $1 AND ${column} = $2`,
      [grant.userId, grant.recordId],
    );
    return { id: held.id, created: false };
  }

  /** @returns whether the grant existed */
  async remove(manager: EntityManager, id: number): Promise<boolean> {
    const { affected } = await manager.delete(Grant, id);
    return affected === 1;
  }
}

function conditionOf({ user_id, resource, record_id }: SearchGrants): Sql {
  const conditions: Sql[] = [];
  if (user_id !== undefined) conditions.push(sql`held.user_id = ${user_id}::integer`);
  if (resource === undefined) return allOf(conditions);
  const column = fixedSql(`held.${wordOf[resource]}_id`);
  conditions.push(record_id === undefined ? sql`${column} IS NOT NULL` : sql`${column} = ${record_id}::integer`);
  return allOf(conditions);
}
