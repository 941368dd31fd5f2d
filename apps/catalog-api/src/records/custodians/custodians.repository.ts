import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { wordOf, type ProtectedResource } from '../../publishing/writing/protected-record.js';
import type { RecordUser } from './custodians.dto.js';

/** The relation of a user to a record. */
export type UserRelation = 'custodians' | 'personnel';

/** The statements about custodians and personnel. */
@Injectable()
export class CustodiansRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The manager for reads outside a transaction. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /** Returns the custodians or the personnel of a record, ordered by last and first name. */
  list(manager: EntityManager, resource: ProtectedResource, relation: UserRelation, id: number): Promise<RecordUser[]> {
    const word = wordOf[resource];
    return manager.query(
      `SELECT id, first_name, last_name, email, is_principal_investigator AS principal_investigator, active
         FROM users JOIN ${word}_${relation} AS link ON link.user_id = users.id
        WHERE link.${word}_id = $1 ORDER BY lower(last_name), lower(first_name), id`,
      [id],
    );
  }

  /** Replaces the custodians or the personnel of a record. */
  async replace(
    manager: EntityManager,
    resource: ProtectedResource,
    relation: UserRelation,
    id: number,
    userIds: readonly number[],
  ): Promise<void> {
    const word = wordOf[resource];
    await manager.query(`DELETE FROM ${word}_${relation} WHERE ${word}_id = $1 AND user_id <> ALL ($2)`, [id, userIds]);
    await manager.query(
      `INSERT INTO ${word}_${relation} (${word}_id, user_id) SELECT $1, unnest($2::integer[]) ON CONFLICT DO NOTHING`,
      [id, userIds],
    );
  }
}
