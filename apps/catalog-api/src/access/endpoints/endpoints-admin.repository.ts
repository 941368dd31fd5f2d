import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { CountedPage, PageParameters } from '../../platform/lists/page.dto.js';
import { readCountedPage } from '../../platform/lists/page-reader.js';
import { containsPattern } from '../../platform/lists/search-text.js';
import { fixedSql, sql } from '../../platform/database/sql.js';
import type { EndpointExposure, SearchEndpoints } from './endpoint-admin.dto.js';
import { Endpoint } from './endpoint.entity.js';

/** The columns of an endpoint that administrators write. */
export interface EndpointColumns {
  readonly name: string;
  readonly url_pattern: string;
  readonly public: boolean;
}

/** An endpoint with its keys, newest first. Instants of keys are ISO 8601 text in UTC. */
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

/** The statements of the administration of endpoints. */
@Injectable()
export class EndpointsAdminRepository {
  constructor(private readonly dataSource: DataSource) {}

  search(query: SearchEndpoints): Promise<CountedPage<EndpointRow>> {
    const where = query.q === undefined ? sql`true` : sql`search_form(name) LIKE ${containsPattern(query.q)}`;
    const list = { columns: fixedSql(columns), from: sql`endpoints AS endpoint`, where, order: byName };
    return readCountedPage<EndpointRow>(this.dataSource, list, query);
  }

  /** Returns the ids of the datasets that are or were exposed to an endpoint. */
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

  /** Returns a page of the datasets that are or were exposed to an endpoint, newest first. */
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

  /** Returns the endpoint. Until the transaction ends, no other transaction can change it or create a reference to it. */
  async lock(manager: EntityManager, id: number): Promise<EndpointRow | undefined> {
    await manager.query('SELECT 1 FROM endpoints WHERE id = $1 FOR UPDATE', [id]);
    return this.find(id, manager);
  }

  /** Returns the id of the new endpoint. */
  async insert(manager: EntityManager, endpoint: EndpointColumns): Promise<number> {
    const added = manager.create(Endpoint, entityOf(endpoint));
    await manager.insert(Endpoint, added);
    return added.id;
  }

  async update(manager: EntityManager, id: number, endpoint: EndpointColumns): Promise<void> {
    await manager.update(Endpoint, id, entityOf(endpoint));
  }

  async remove(manager: EntityManager, id: number): Promise<void> {
    await manager.delete(Endpoint, id);
  }

  /** Returns the number of exposures to an endpoint, including deprecated exposures. */
  async countExposures(manager: EntityManager, id: number): Promise<number> {
    const [row] = await manager.query<[{ count: number }]>(
      'SELECT count(*)::integer AS count FROM exposures WHERE endpoint_id = $1',
      [id],
    );
    return row.count;
  }
}

function entityOf({
  name,
  url_pattern,
  public: isPublic,
}: EndpointColumns): Pick<Endpoint, 'name' | 'urlPattern' | 'public'> {
  return { name, urlPattern: url_pattern, public: isPublic };
}
