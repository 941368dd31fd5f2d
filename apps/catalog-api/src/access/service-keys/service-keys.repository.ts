import type { Scope } from '@rdc/auth';
import { Injectable } from '@nestjs/common';
import { DataSource, In, type EntityManager } from 'typeorm';
import type { CountedPage, PageParameters } from '../../platform/lists/page.dto.js';
import { readCountedPage } from '../../platform/lists/page-reader.js';
import { containsPattern } from '../../platform/lists/search-text.js';
import { fixedSql, sql } from '../../platform/database/sql.js';
import type { ServiceKeyRights } from './service-key-rules.js';
import { ServiceKey, ServiceKeySecret } from './service-key.entity.js';

/** The members of a service key that can be changed. */
export interface ServiceKeyColumns extends ServiceKeyRights {
  readonly expires_at: Date | null;
}

/** A service key with its secrets, newest first. Instants of secrets are ISO 8601 text in UTC. */
export interface ServiceKeyRow extends ServiceKeyColumns {
  readonly id: number;
  readonly name: string;
  readonly scopes: Scope[];
  readonly revoked_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly secrets: readonly ServiceKeySecretRow[];
}

/** A secret of a service key without its hash. */
export interface ServiceKeySecretRow {
  readonly id: number;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly valid: boolean;
}

const columns = `
  id, created_at, updated_at, name, scopes, submissions, projects, expires_at, revoked_at,
  ARRAY(SELECT json_build_object(
            'id', secret.id, 'created_at', secret.created_at, 'expires_at', secret.expires_at,
            'last_used_at', secret.last_used_at,
            'valid', service.revoked_at IS NULL AND (service.expires_at IS NULL OR service.expires_at > now())
                       AND (secret.expires_at IS NULL OR secret.expires_at > now()))
          FROM service_key_secrets AS secret WHERE service_key_id = service.id ORDER BY secret.id DESC) AS secrets`;

/** The statements about service keys. */
@Injectable()
export class ServiceKeysRepository {
  constructor(private readonly dataSource: DataSource) {}

  search(query: PageParameters & { readonly q?: string }): Promise<CountedPage<ServiceKeyRow>> {
    const where = query.q === undefined ? sql`true` : sql`search_form(name) LIKE ${containsPattern(query.q)}`;
    const order = [{ by: 'name', type: 'text' }] as const;
    const list = { columns: fixedSql(columns), from: sql`service_keys AS service`, where, order };
    return readCountedPage<ServiceKeyRow>(this.dataSource, list, query);
  }

  async find(id: number, manager: EntityManager = this.dataSource.manager): Promise<ServiceKeyRow | undefined> {
    const [row] = await manager.query<ServiceKeyRow[]>(`SELECT ${columns} FROM service_keys AS service WHERE id = $1`, [
      id,
    ]);
    return row;
  }

  /** Returns the service key. Until the transaction ends, no other transaction can change it. */
  async lock(manager: EntityManager, id: number): Promise<ServiceKeyRow | undefined> {
    await manager.query('SELECT FROM service_keys WHERE id = $1 FOR UPDATE', [id]);
    return this.find(id, manager);
  }

  /** Returns the id of the service key with a name. Until the transaction ends, no other transaction can change it. */
  async lockNamed(manager: EntityManager, name: string): Promise<number | undefined> {
    const [row] = await manager.query<{ id: number }[]>('SELECT id FROM service_keys WHERE name = $1 FOR UPDATE', [
      name,
    ]);
    return row?.id;
  }

  /** Returns the id of the new service key. */
  async insert(manager: EntityManager, name: string, key: ServiceKeyColumns): Promise<number> {
    const added = manager.create(ServiceKey, { name, ...entityOf(key) });
    await manager.insert(ServiceKey, added);
    return added.id;
  }

  async update(manager: EntityManager, id: number, key: ServiceKeyColumns): Promise<void> {
    await manager.update(ServiceKey, id, entityOf(key));
  }

  /** Revokes a service key, or with `false` undoes the revocation. */
  async setRevoked(manager: EntityManager, id: number, isRevoked: boolean): Promise<void> {
    await manager.update(ServiceKey, id, { revokedAt: isRevoked ? () => 'now()' : null });
  }

  /** Ends the secrets of a service key after a number of seconds, unless they end earlier. */
  async endSecrets(manager: EntityManager, id: number, afterSeconds: number): Promise<void> {
    await manager.query(
      `UPDATE service_key_secrets
          SET expires_at = least(expires_at, now() + make_interval(secs => $2)), updated_at = now()
        WHERE service_key_id = $1 AND (expires_at IS NULL OR expires_at > now())`,
      [id, afterSeconds],
    );
  }

  async insertSecret(manager: EntityManager, id: number, hash: string): Promise<void> {
    await manager.insert(ServiceKeySecret, { serviceKeyId: id, keyHash: hash });
  }

  /** Returns the id of the service key that has or had a secret with one of the hashes. */
  async ownerOf(manager: EntityManager, hashes: readonly string[]): Promise<number | undefined> {
    const secret = await manager.findOneBy(ServiceKeySecret, { keyHash: In(hashes) });
    return secret?.serviceKeyId;
  }
}

type ChangeableColumns = Pick<ServiceKey, 'scopes' | 'submissions' | 'projects' | 'expiresAt'>;

function entityOf({ scopes, submissions, projects, expires_at }: ServiceKeyColumns): ChangeableColumns {
  return {
    scopes: [...scopes],
    submissions: submissions && [...submissions],
    projects: projects && [...projects],
    expiresAt: expires_at,
  };
}
