import { KeyHasher } from '@rdc/auth';
import { InvalidInputError, UnknownRecordError } from '@rdc/errors';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { randomCharacters } from './key-characters.js';

/** The number of characters of an endpoint's key. */
export const endpointKeyLength = 64;

const userKeyLength = 48;

/** The actor in audit entries of commands. */
const commandLine = 'command line';

/** The options of a user's new key. */
export interface UserKeyOptions {
  /** The end of the key; by default, the key has no end. */
  readonly expiresAt?: Date | null;
  /** The actor in the audit trail; by default, the command line. */
  readonly actor?: string;
}

/** The options of an endpoint's new key. */
export interface EndpointKeyOptions extends UserKeyOptions {
  /** The key, of exactly {@link endpointKeyLength} visible ASCII characters; by default, a random key. */
  readonly key?: string | undefined;
  /** The time for which the endpoint's other keys stay valid; by default 0, so that the other keys end immediately. */
  readonly overlapSeconds?: number;
}

/** Issues and revokes keys. A key is returned once; only its keyed hash is stored. */
@Injectable()
export class KeyIssuer {
  constructor(
    private readonly hasher: KeyHasher,
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Issues a new personal key. The previous key ends.
   *
   * @param user the id of the user, or the e-mail address; case is ignored
   * @throws UnknownRecordError if the user does not exist
   */
  async issueForUser(user: number | string, options: UserKeyOptions = {}): Promise<string> {
    const key = randomCharacters(userKeyLength);
    await this.dataSource.transaction(async (manager) => {
      const [[row]] = await manager.query<[{ id: number }[]]>(
        `UPDATE users SET key_hash = $1, key_expires_at = $2, key_last_used_at = NULL, updated_at = now()
          WHERE ${typeof user === 'number' ? 'id = $3' : 'lower(email) = lower($3)'} RETURNING id`,
        [this.hasher.hash(key), options.expiresAt ?? null, user],
      );
      if (!row) throw new UnknownRecordError('user', String(user));
      await this.recordEntry(manager, 'issue-key', 'users', row.id, options);
    });
    return key;
  }

  /** Ends the key of a user, if there is one. */
  async revokeForUser(id: number, actor: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [ended] = await manager.query<[unknown[]]>(
        `UPDATE users SET key_hash = NULL, key_expires_at = NULL, key_last_used_at = NULL, updated_at = now()
          WHERE id = $1 AND key_hash IS NOT NULL RETURNING id`,
        [id],
      );
      if (ended.length > 0) await this.recordEntry(manager, 'revoke-key', 'users', id, { actor });
    });
  }

  /**
   * Issues a random or a given key to an endpoint. If the endpoint had the given key before, the key is valid again.
   *
   * @param endpoint the id or the name of the endpoint
   * @throws UnknownRecordError if the endpoint does not exist
   * @throws InvalidInputError if the given key belongs to a user or to another endpoint
   */
  async issueForEndpoint(endpoint: number | string, options: EndpointKeyOptions = {}): Promise<string> {
    return this.dataSource.transaction((manager) => this.issueForEndpointIn(manager, endpoint, options));
  }

  /** Issues a key to an endpoint, as part of a transaction. */
  async issueForEndpointIn(
    manager: EntityManager,
    endpoint: number | string,
    options: EndpointKeyOptions,
  ): Promise<string> {
    const { key = randomCharacters(endpointKeyLength), overlapSeconds = 0, expiresAt = null } = options;
    const [row] = await manager.query<{ id: number }[]>(
      `SELECT id FROM endpoints WHERE ${typeof endpoint === 'number' ? 'id' : 'name'} = $1 FOR UPDATE`,
      [endpoint],
    );
    if (!row) throw new UnknownRecordError('endpoint', String(endpoint));
    await this.refuseTakenKey(manager, row.id, key);
    await manager.query(
      `UPDATE endpoint_keys SET expires_at = least(expires_at, now() + make_interval(secs => $2)), updated_at = now()
        WHERE endpoint_id = $1 AND (expires_at IS NULL OR expires_at > now())`,
      [row.id, overlapSeconds],
    );
    const stored = await manager.query<unknown[]>(
      `INSERT INTO endpoint_keys AS kept (endpoint_id, key_hash, expires_at) VALUES ($1, $2, $3)
       ON CONFLICT (key_hash) DO UPDATE SET expires_at = excluded.expires_at, updated_at = now()
        WHERE kept.endpoint_id = excluded.endpoint_id RETURNING id`,
      [row.id, this.hasher.hash(key), expiresAt],
    );
    if (stored.length === 0) throw takenKey();
    await this.recordEntry(manager, 'issue-key', 'endpoints', row.id, options);
    return key;
  }

  /** Ends every key of an endpoint. */
  async revokeForEndpoint(id: number, actor: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const [ended] = await manager.query<[unknown[]]>(
        `UPDATE endpoint_keys SET expires_at = now(), updated_at = now()
          WHERE endpoint_id = $1 AND (expires_at IS NULL OR expires_at > now()) RETURNING id`,
        [id],
      );
      if (ended.length > 0) await this.recordEntry(manager, 'revoke-key', 'endpoints', id, { actor });
    });
  }

  /** Checks the holder of a key. @throws InvalidInputError if another endpoint or a user has the key */
  private async refuseTakenKey(manager: EntityManager, endpointId: number, key: string): Promise<void> {
    const taken = await manager.query<unknown[]>(
      `SELECT 1 FROM endpoint_keys WHERE key_hash = ANY ($1::text[]) AND endpoint_id <> $2
       UNION ALL SELECT 1 FROM users WHERE key_hash = ANY ($1::text[])`,
      [this.hasher.candidates(key), endpointId],
    );
    if (taken.length > 0) throw takenKey();
  }

  private recordEntry(
    manager: EntityManager,
    action: string,
    resource: string,
    recordId: number,
    { expiresAt, actor = commandLine, ...options }: EndpointKeyOptions,
  ): Promise<void> {
    const after = {
      ...(expiresAt && { expires_at: expiresAt }),
      ...(options.overlapSeconds && { overlap_seconds: options.overlapSeconds }),
    };
    return this.audit.record(manager, { actor, action, resource, recordId, after });
  }
}

/** 400: the given key belongs to another holder. */
export function takenKey(): InvalidInputError {
  return new InvalidInputError([{ field: 'key', problem: 'must be a key that no other holder uses' }]);
}
