import { Injectable } from '@nestjs/common';
import { KeyHasher, networkOf } from '@rdc/auth';
import { RateLimitedError } from '@rdc/errors';
import { currentRequest } from '@rdc/http';
import { DataSource } from 'typeorm';
import { AccountSecrets } from '../../platform/secrets/account-secrets.js';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { ImportedKeyHash } from './imported-key-hash.js';
import { endpointKeyLength } from './key-issuer.js';

/** The time for which a process assumes that no imported key remains. */
const emptyForMs = 60_000;

/** The minimum time between two attempts of one network. */
const pauseSeconds = 5;

/** The maximum number of attempts that wait, and of networks in the memory of a process. */
const maxWaiting = 20;
const maxNetworks = 10_000;

/** An imported key that is still accepted. */
interface ImportedKey {
  readonly id: number;
  readonly endpoint: number;
  readonly hash: ImportedKeyHash;
}

/** Converts the keys that endpoints had at another system, each at its first use. */
@Injectable()
export class ImportedEndpointKeys {
  private emptyUntil = 0;
  private readonly attempts = new Map<string, number>();
  private readonly pending = new Map<string, Promise<number | undefined>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly hasher: KeyHasher,
    private readonly secrets: AccountSecrets,
    private readonly dataSource: DataSource,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Converts a key that the catalog does not know, if it is the imported key of an endpoint. The comparison takes about
   * half a second of one core, so a process compares one key at a time, and one of a network in five seconds.
   *
   * @returns the id of the endpoint, or undefined if the key is no imported key
   * @throws RateLimitedError if the network tried another key within five seconds, or if many keys wait
   */
  async convert(key: string): Promise<number | undefined> {
    if (key.length !== endpointKeyLength || Date.now() < this.emptyUntil) return undefined;
    const hash = this.hasher.hash(key);
    const running = this.pending.get(hash);
    if (running) return running;
    const attempt = this.attempt(key, hash).finally(() => this.pending.delete(hash));
    this.pending.set(hash, attempt);
    return attempt;
  }

  private async attempt(key: string, hash: string): Promise<number | undefined> {
    if (!(await this.hasImportedKeys())) return this.findConverted(hash);
    this.refuseTooMany(networkOf(currentRequest()?.address ?? ''));
    const turn = this.last.then(async () => (await this.compare(key, hash)) ?? (await this.findConverted(hash)));
    this.last = turn.catch(() => undefined);
    return turn;
  }

  /** Returns the endpoint of a key that another process converted a moment ago. */
  private async findConverted(hash: string): Promise<number | undefined> {
    const [row] = await this.dataSource.query<{ endpoint: number }[]>(
      `SELECT endpoint_id AS endpoint FROM endpoint_keys
        WHERE key_hash = $1 AND (expires_at IS NULL OR expires_at > now())`,
      [hash],
    );
    return row?.endpoint;
  }

  private async hasImportedKeys(): Promise<boolean> {
    const [{ found }] = await this.dataSource.query<[{ found: boolean }]>(
      'SELECT EXISTS (SELECT FROM imported_endpoint_keys WHERE expires_at > now()) AS found',
    );
    if (!found) this.emptyUntil = Date.now() + emptyForMs;
    return found;
  }

  private refuseTooMany(network: string): void {
    const now = Date.now();
    for (const [each, until] of this.attempts) if (until <= now) this.attempts.delete(each);
    const blocked = this.attempts.has(network) || this.attempts.size >= maxNetworks || this.pending.size > maxWaiting;
    if (blocked) throw new RateLimitedError('unknown keys', pauseSeconds);
    this.attempts.set(network, now + pauseSeconds * 1000);
  }

  private async compare(key: string, hash: string): Promise<number | undefined> {
    const digests = new Map<string, Buffer>();
    for (const imported of await this.importedKeys()) {
      const digest = digests.get(imported.hash.group) ?? (await imported.hash.digestOf(key));
      digests.set(imported.hash.group, digest);
      if (imported.hash.matches(digest)) return this.replace(imported, hash);
    }
    return undefined;
  }

  private async importedKeys(): Promise<ImportedKey[]> {
    const rows = await this.dataSource.query<{ id: number; endpoint: number; sealed: string }[]>(
      `SELECT id, endpoint_id AS endpoint, sealed_hash AS sealed FROM imported_endpoint_keys
        WHERE expires_at > now() ORDER BY id`,
    );
    return rows.flatMap(({ id, endpoint, sealed }) => {
      const opened = this.secrets.open('endpoint key', sealed, `endpoint:${String(endpoint)}`);
      const hash = opened === null ? undefined : ImportedKeyHash.parse(opened.text);
      return hash ? { id, endpoint, hash } : [];
    });
  }

  /** Stores the keyed hash of a key in the place of the imported hash. Another replica may have done so already. */
  private async replace({ id, endpoint }: ImportedKey, hash: string): Promise<number> {
    await this.dataSource.transaction(async (manager) => {
      const [removed] = await manager.query<[unknown[]]>(
        'DELETE FROM imported_endpoint_keys WHERE id = $1 RETURNING id',
        [id],
      );
      if (removed.length === 0) return;
      await manager.query(
        'INSERT INTO endpoint_keys (endpoint_id, key_hash) VALUES ($1, $2) ON CONFLICT (key_hash) DO NOTHING',
        [endpoint, hash],
      );
      const actor = `endpoint:${String(endpoint)}`;
      await this.audit.record(manager, { actor, action: 'convert-key', resource: 'endpoints', recordId: endpoint });
    });
    return endpoint;
  }
}
