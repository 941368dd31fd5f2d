import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { wordOf, type ProtectedResource } from '../../publishing/writing/protected-record.js';
import type { RecordUser } from './custodians.dto.js';

/** As what a user stands at a record. */
export type Standing = 'custodians' | 'personnel';

/** Who stands at which record, in the database. */
@Injectable()
export class CustodiansRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** For reading outside of any transaction. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /** Users of a record, by last and first name. */
  list(manager: EntityManager, resource: ProtectedResource, standing: Standing, id: number): Promise<RecordUser[]> {
    const word = wordOf[resource];
    return manager.query(
      `SELECT id, first_name, last_name, email, is_principal_investigator AS principal_investigator, active
         FROM users JOIN ${word}_${standing} AS link ON link.user_id = users.id
        WHERE link.${word}_id = $1 ORDER BY lower(last_name), lower(first_name), id`,
      [id],
    );
  }

  /** Makes exactly these users stand at a record. */
  async replace(
    manager: EntityManager,
    resource: ProtectedResource,
    standing: Standing,
    id: number,
    userIds: readonly number[],
  ): Promise<void> {
    const word = wordOf[resource];
    await manager.query(`DELETE FROM ${word}_${standing} WHERE ${word}_id = $1 AND user_id <> ALL ($2)`, [id, userIds]);
    await manager.query(
      `INSERT INTO ${word}_${standing} (${word}_id, user_id) SELECT $1, unnest($2::integer[]) ON CONFLICT DO NOTHING`,
      [id, userIds],
    );
  }
}
