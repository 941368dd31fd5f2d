import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { GlobalKey, isScope, KeyDirectory, KeyHasher, type Principal, type Role } from '@rdc/auth';
import { DataSource } from 'typeorm';
import { poolOf, runPrepared } from '../../platform/database/prepared.js';
import { sql, type Sql } from '../../platform/database/sql.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { ImportedEndpointKeys } from './imported-endpoint-keys.js';

/** The row of a stored key. */
type KeyRow = UserKeyRow | EndpointKeyRow | ServiceKeyRow;

interface FoundKey {
  readonly key_id: number;
  readonly holder_id: number;
  /** Whether the recorded last use is more than a minute ago. */
  readonly stale: boolean;
}

interface UserKeyRow extends FoundKey {
  readonly kind: 'user';
  readonly subject: string | null;
  readonly roles: Role[];
}

interface EndpointKeyRow extends FoundKey {
  readonly kind: 'endpoint';
}

interface ServiceKeyRow extends FoundKey {
  readonly kind: 'service';
  readonly name: string;
  readonly scopes: string[];
  readonly submissions: string[] | null;
  readonly projects: string[] | null;
  readonly expires_at: Date | null;
}

/** Finds a valid key of an active holder. Each branch reads one unique index. */
const findKey = (hashes: readonly string[]): Sql => sql`
  SELECT 'user' AS kind, id AS key_id, id AS holder_id, subject, roles,
         NULL AS name, NULL::text[] AS scopes, NULL::text[] AS submissions, NULL::text[] AS projects,
         NULL::timestamptz AS expires_at,
         key_last_used_at IS NULL OR key_last_used_at < now() - interval '1 minute' AS stale
    FROM users
   WHERE key_hash = ANY (${hashes}::text[]) AND active AND (key_expires_at IS NULL OR key_expires_at > now())
  UNION ALL
  SELECT 'endpoint', id, endpoint_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
         last_used_at IS NULL OR last_used_at < now() - interval '1 minute'
    FROM endpoint_keys
   WHERE key_hash = ANY (${hashes}::text[]) AND (expires_at IS NULL OR expires_at > now())
  UNION ALL
  SELECT 'service', secret.id, service.id, NULL, NULL,
         service.name, service.scopes, service.submissions, service.projects,
         least(service.expires_at, secret.expires_at),
         last_used_at IS NULL OR last_used_at < now() - interval '1 minute'
    FROM service_key_secrets AS secret JOIN service_keys AS service ON service.id = secret.service_key_id
   WHERE secret.key_hash = ANY (${hashes}::text[]) AND service.revoked_at IS NULL
     AND (secret.expires_at IS NULL OR secret.expires_at > now())
     AND (service.expires_at IS NULL OR service.expires_at > now())
   LIMIT 1`;

const updateLastUse: Readonly<Record<KeyRow['kind'], string>> = {
  user: `UPDATE users SET key_last_used_at = now()
          WHERE id = $1 AND (key_last_used_at IS NULL OR key_last_used_at < now() - interval '1 minute')`,
  endpoint: `UPDATE endpoint_keys SET last_used_at = now()
              WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
  service: `UPDATE service_key_secrets SET last_used_at = now()
             WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
};

/** Identifies the global key, and the keys of users, endpoints and programs by their keyed hash. */
@Injectable()
export class CatalogKeyDirectory extends KeyDirectory implements OnModuleDestroy {
  private readonly global: GlobalKey;
  private readonly pendingUses = new Set<Promise<void>>();

  constructor(
    settings: HttpSettings,
    private readonly hasher: KeyHasher,
    private readonly dataSource: DataSource,
    private readonly importedKeys: ImportedEndpointKeys,
  ) {
    super();
    this.global = new GlobalKey(settings);
  }

  async identify(key: string): Promise<Principal> {
    if (this.global.matches(key)) return { kind: 'global' };
    const [row] = await runPrepared<KeyRow>(poolOf(this.dataSource), findKey(this.hasher.candidates(key)));
    if (!row) return this.identifyImported(key);
    if (row.stale) this.recordUse(row);
    return principalOf(row);
  }

  /** Identifies a key that an endpoint had at another system. */
  private async identifyImported(key: string): Promise<Principal> {
    const endpoint = await this.importedKeys.convert(key);
    return endpoint === undefined ? { kind: 'unknown' } : { kind: 'endpoint', endpointId: String(endpoint) };
  }

  /** Waits for pending updates of last uses, so that closing the pool does not interrupt them. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.pendingUses);
  }

  /** Records the use in the background. The request does not wait for the update and does not fail with it. */
  private recordUse({ kind, key_id: id }: KeyRow): void {
    const pending = this.dataSource
      .query(updateLastUse[kind], [id])
      .catch(() => undefined)
      .then(() => undefined);
    this.pendingUses.add(pending);
    void pending.finally(() => this.pendingUses.delete(pending));
  }
}

function principalOf(row: KeyRow): Principal {
  const id = String(row.holder_id);
  switch (row.kind) {
    case 'endpoint':
      return { kind: 'endpoint', endpointId: id };
    case 'user':
      return { kind: 'user', userId: id, subject: row.subject, roles: row.roles };
    case 'service': {
      const { name, submissions, projects, expires_at: expiresAt } = row;
      const scopes = row.scopes.filter(isScope);
      return { kind: 'service', keyId: id, name, scopes, submissions, projects, expiresAt };
    }
  }
}
