import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { GlobalKey, KeyDirectory, KeyHasher, type Principal, type Role } from '@rdc/auth';
import { DataSource } from 'typeorm';
import { poolOf, runPrepared } from '../database/prepared.js';
import { sql, type Sql } from '../database/sql.js';
import { CatalogSettings } from '../settings.js';

/** A key that was found, as the database tells it. */
interface KeyRow {
  readonly kind: 'user' | 'endpoint';
  readonly key_id: number;
  readonly holder_id: number;
  readonly subject: string | null;
  readonly roles: Role[] | null;
  /** Whether its last use was noted more than a minute ago. */
  readonly stale: boolean;
}

/** Deactivated holders and ended keys are not found. Each branch is one look into a unique index. */
const findKey = (hashes: readonly string[]): Sql => sql`
  SELECT 'user' AS kind, id AS key_id, id AS holder_id, subject, roles,
         key_last_used_at IS NULL OR key_last_used_at < now() - interval '1 minute' AS stale
    FROM users
   WHERE key_hash = ANY (${hashes}::text[]) AND active AND (key_expires_at IS NULL OR key_expires_at > now())
  UNION ALL
  SELECT 'endpoint', id, endpoint_id, NULL, NULL,
         last_used_at IS NULL OR last_used_at < now() - interval '1 minute'
    FROM endpoint_keys
   WHERE key_hash = ANY (${hashes}::text[]) AND (expires_at IS NULL OR expires_at > now())
   LIMIT 1`;

const noteUse: Readonly<Record<KeyRow['kind'], string>> = {
  user: `UPDATE users SET key_last_used_at = now()
          WHERE id = $1 AND (key_last_used_at IS NULL OR key_last_used_at < now() - interval '1 minute')`,
  endpoint: `UPDATE endpoint_keys SET last_used_at = now()
              WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
};

/** The global key of the settings, and the keys of users and endpoints by their keyed hash. */
@Injectable()
export class CatalogKeyDirectory extends KeyDirectory implements OnModuleDestroy {
  private readonly global: GlobalKey;
  private readonly notes = new Set<Promise<void>>();

  constructor(
    settings: CatalogSettings,
    private readonly hasher: KeyHasher,
    private readonly dataSource: DataSource,
  ) {
    super();
    this.global = new GlobalKey(settings.GLOBAL_API_KEY);
  }

  async identify(key: string): Promise<Principal> {
    if (this.global.matches(key)) return { kind: 'global' };
    const [row] = await runPrepared<KeyRow>(poolOf(this.dataSource), findKey(this.hasher.candidates(key)));
    if (!row) return { kind: 'unknown' };
    if (row.stale) this.note(row);
    const id = String(row.holder_id);
    if (row.kind === 'endpoint') return { kind: 'endpoint', endpointId: id };
    return { kind: 'user', userId: id, subject: row.subject, roles: row.roles ?? [] };
  }

  /** Waits for what is still being noted, so that closing the pool does not cut it off. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.notes);
  }

  /** Notes the use beside the request: nobody waits for it, and failing to note it fails nobody. */
  private note({ kind, key_id: id }: KeyRow): void {
    const noted = this.dataSource
      .query(noteUse[kind], [id])
      .catch(() => undefined)
      .then(() => undefined);
    this.notes.add(noted);
    void noted.finally(() => this.notes.delete(noted));
  }
}
