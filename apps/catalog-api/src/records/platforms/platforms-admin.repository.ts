import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CountedPage } from '../../platform/lists/page.dto.js';
import { readCountedPage } from '../../platform/lists/page-reader.js';
import { containsPattern } from '../../platform/lists/search-text.js';
import { fixedSql, sql } from '../../platform/database/sql.js';
import type { PlatformResponse, SearchPlatforms } from './platform-admin.dto.js';

/** The columns of a platform that administrators write. */
export interface PlatformColumns {
  readonly name: string;
  readonly public: boolean;
}

const columns = `
  id, created_at, updated_at, name, public,
  (SELECT count(DISTINCT dataset_id)::integer FROM storage_locations WHERE platform_id = platform.id) AS datasets`;

const byName = [
  { by: 'lower(name)', type: 'text' },
  { by: 'id', type: 'integer' },
] as const;

/** The statements of the administration of platforms. */
@Injectable()
export class PlatformsAdminRepository {
  constructor(private readonly dataSource: DataSource) {}

  search(query: SearchPlatforms): Promise<CountedPage<PlatformResponse>> {
    const where = query.q === undefined ? sql`true` : sql`search_form(name) LIKE ${containsPattern(query.q)}`;
    const list = { columns: fixedSql(columns), from: sql`platforms AS platform`, where, order: byName };
    return readCountedPage(this.dataSource, list, query);
  }

  async find(id: number, manager: EntityManager = this.dataSource.manager): Promise<PlatformResponse | undefined> {
    const rows = await manager.query<PlatformResponse[]>(`SELECT ${columns} FROM platforms AS platform WHERE id = $1`, [
      id,
    ]);
    return rows[0];
  }

  /** Returns the platform, and locks it against changes and new references until the transaction ends. */
  async lock(manager: EntityManager, id: number): Promise<PlatformResponse | undefined> {
    await manager.query('SELECT 1 FROM platforms WHERE id = $1 FOR UPDATE', [id]);
    return this.find(id, manager);
  }

  /** Returns the id of the new platform. */
  async insert(manager: EntityManager, platform: PlatformColumns): Promise<number> {
    const [row] = await manager.query<[{ id: number }]>(
      'INSERT INTO platforms (name, public) VALUES ($1, $2) RETURNING id',
      [platform.name, platform.public],
    );
    return row.id;
  }

  async update(manager: EntityManager, id: number, platform: PlatformColumns): Promise<void> {
    await manager.query('UPDATE platforms SET name = $1, public = $2, updated_at = now() WHERE id = $3', [
      platform.name,
      platform.public,
      id,
    ]);
  }

  async remove(manager: EntityManager, id: number): Promise<void> {
    await manager.query('DELETE FROM platforms WHERE id = $1', [id]);
  }
}
