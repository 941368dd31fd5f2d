import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CountedPage, PageParameters } from '../../platform/lists/page.dto.js';
import { readCountedPage } from '../../platform/lists/page-reader.js';
import { containsPattern } from '../../platform/lists/search-text.js';
import { fixedSql, sql } from '../../platform/database/sql.js';
import type { EndpointExposure, SearchEndpoints } from './endpoint-admin.dto.js';

/** What an administrator may write of an endpoint. */
export interface EndpointColumns {
  readonly name: string;
  readonly url_pattern: string;
  readonly public: boolean;
}

/** An endpoint with its keys, newest first, without their hashes. Instants of keys are ISO 8601 text in UTC. */
export interface EndpointRow extends EndpointColumns {
  readonly id: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly active_exposures: number;
  readonly keys: readonly EndpointKeyRow[];
}

/** A key of an endpoint without its hash. */
export interface EndpointKeyRow {
  readonly id: number;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly valid: boolean;
}

const columns = `
  id, created_at, updated_at, name, url_pattern, public,
  (SELECT count(*)::integer FROM exposures
    WHERE endpoint_id = endpoint.id AND deprecated_at IS NULL) AS active_exposures,
  ARRAY(SELECT json_build_object('id', id, 'created_at', created_at, 'expires_at', expires_at,
                                 'last_used_at', last_used_at, 'valid', expires_at IS NULL OR expires_at > now())
          FROM endpoint_keys WHERE endpoint_id = endpoint.id ORDER BY id DESC) AS keys`;

const byName = [
  { by: 'lower(name)', type: 'text' },
  { by: 'id', type: 'integer' },
] as const;

/** Endpoints in the database, as administrators work with them. */
@Injectable()
export class EndpointsAdminRepository {
  constructor(private readonly dataSource: DataSource) {}

  search(query: SearchEndpoints): Promise<CountedPage<EndpointRow>> {
    const where = query.q === undefined ? sql`true` : sql`search_form(name) LIKE ${containsPattern(query.q)}`;
    const list = { columns: fixedSql(columns), from: sql`endpoints AS endpoint`, where, order: byName };
    return readCountedPage<EndpointRow>(this.dataSource, list, query);
  }

  /** The ids of the datasets that are or were exposed to an endpoint. */
  async exposedTo(manager: EntityManager, endpoint: number): Promise<number[]> {
    const [{ ids }] = await manager.query<[{ ids: number[] }]>(
      'SELECT ARRAY(SELECT DISTINCT dataset_id FROM exposures WHERE endpoint_id = $1) AS ids',
      [endpoint],
    );
    return ids;
  }

  async find(id: number, manager: EntityManager = this.dataSource.manager): Promise<EndpointRow | undefined> {
    const [row] = await manager.query<EndpointRow[]>(`SELECT ${columns} FROM endpoints AS endpoint WHERE id = $1`, [
      id,
    ]);
    return row;
  }

  /** What is or was exposed to an endpoint, the newest first. */
  exposuresOf(id: number, parameters: PageParameters): Promise<CountedPage<EndpointExposure>> {
    const list = {
      columns: sql`exposure.id, dataset_id, dataset.external_id AS dataset_external_id, dataset.name AS dataset_name,
                   form_id, exposure.created_at AS released_at, deprecated_at`,
      from: sql`exposures AS exposure JOIN datasets AS dataset ON dataset.id = exposure.dataset_id`,
      where: sql`exposure.endpoint_id = ${id}::integer`,
      order: [{ by: 'exposure.id', type: 'integer' }] as const,
      descending: true,
    };
    return readCountedPage<EndpointExposure>(this.dataSource, list, parameters);
  }

  /** The endpoint, which nobody else changes or begins to refer to before this transaction ends. */
  async lock(manager: EntityManager, id: number): Promise<EndpointRow | undefined> {
    await manager.query('SELECT 1 FROM endpoints WHERE id = $1 FOR UPDATE', [id]);
    return this.find(id, manager);
  }

  /** @returns its id */
  async insert(manager: EntityManager, endpoint: EndpointColumns): Promise<number> {
    const [row] = await manager.query<[{ id: number }]>(
      'INSERT INTO endpoints (name, url_pattern, public) VALUES ($1, $2, $3) RETURNING id',
      [endpoint.name, endpoint.url_pattern, endpoint.public],
    );
    return row.id;
  }

  async update(manager: EntityManager, id: number, endpoint: EndpointColumns): Promise<void> {
    await manager.query(
      'UPDATE endpoints SET name = $1, url_pattern = $2, public = $3, updated_at = now() WHERE id = $4',
      [endpoint.name, endpoint.url_pattern, endpoint.public, id],
    );
  }

  async remove(manager: EntityManager, id: number): Promise<void> {
    await manager.query('DELETE FROM endpoints WHERE id = $1', [id]);
  }

  /** How many exposures refer to an endpoint, deprecated ones too. */
  async countExposures(manager: EntityManager, id: number): Promise<number> {
    const [row] = await manager.query<[{ count: number }]>(
      'SELECT count(*)::integer AS count FROM exposures WHERE endpoint_id = $1',
      [id],
    );
    return row.count;
  }
}
