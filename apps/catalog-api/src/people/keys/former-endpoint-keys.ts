import { Injectable } from '@nestjs/common';
import { KeyHasher, networkOf } from '@rdc/auth';
import { RateLimitedError } from '@rdc/errors';
import { currentRequest } from '@rdc/http';
import { DataSource } from 'typeorm';
import { AccountSecrets } from '../../platform/secrets/account-secrets.js';
import { AuditTrail } from '../../publishing/audit/audit-trail.js';
import { FormerKeyHash } from './former-key-hash.js';
import { endpointKeyLength } from './key-issuer.js';

/** The time for which a process assumes that no former key remains. */
const emptyForMs = 60_000;

/** The minimum time between two attempts of one network. */
const pauseSeconds = 5;

/** The maximum number of attempts that wait, and of networks in the memory of a process. */
const maxWaiting = 20;
const maxNetworks = 10_000;

/** A former key that is still accepted. */
interface FormerKey {
  readonly id: number;
  readonly endpoint: number;
  readonly hash: FormerKeyHash;
}

/** Converts the keys that endpoints had at another system, each at its first use. */
@Injectable()
export class FormerEndpointKeys {
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
   * Converts a key that the catalog does not know, if it is the former key of an endpoint. The comparison takes about
   * half a second of one core, so a process compares one key at a time, and one of a network in five seconds.
   *
   * @returns the id of the endpoint, or undefined if the key is no former key
   * @throws RateLimitedError if the network tried another key within five seconds, or if many keys wait
   */
  async convert(key: string): Promise<number | undefined> {
    if (key.length !== endpointKeyLength || Date.now() < this.emptyUntil) return undefined;
    const hash = this.hasher.hash(key);
    const running = this.pending.get(hash);
    if (running) return running;
    if (!(await this.hasFormerKeys())) return undefined;
    this.refuseTooMany(networkOf(currentRequest()?.address ?? ''));
    const turn = this.last.then(() => this.compare(key, hash));
    this.pending.set(hash, turn);
    this.last = turn.catch(() => undefined);
    return turn.finally(() => this.pending.delete(hash));
  }

  private async hasFormerKeys(): Promise<boolean> {
    const [{ found }] = await this.dataSource.query<[{ found: boolean }]>(
      'SELECT EXISTS (SELECT FROM former_endpoint_keys WHERE expires_at > now()) AS found',
    );
    if (!found) this.emptyUntil = Date.now() + emptyForMs;
    return found;
  }

  private refuseTooMany(network: string): void {
    const now = Date.now();
    for (const [each, until] of this.attempts) if (until <= now) this.attempts.delete(each);
    const blocked = this.attempts.has(network) || this.attempts.size >= maxNetworks || this.pending.size >= maxWaiting;
    if (blocked) throw new RateLimitedError('unknown keys', pauseSeconds);
    this.attempts.set(network, now + pauseSeconds * 1000);
  }

  private async compare(key: string, hash: string): Promise<number | undefined> {
    const digests = new Map<string, Buffer>();
    for (const former of await this.formerKeys()) {
      const digest = digests.get(former.hash.group) ?? (await former.hash.digestOf(key));
      digests.set(former.hash.group, digest);
      if (former.hash.matches(digest)) return this.replace(former, hash);
    }
    return undefined;
  }

  private async formerKeys(): Promise<FormerKey[]> {
    const rows = await this.dataSource.query<{ id: number; endpoint: number; sealed: string }[]>(
      `SELECT id, endpoint_id AS endpoint, sealed_hash AS sealed FROM former_endpoint_keys
        WHERE expires_at > now() ORDER BY id`,
    );
    return rows.flatMap(({ id, endpoint, sealed }) => {
      const opened = this.secrets.open('endpoint key', sealed, `endpoint:${String(endpoint)}`);
      const hash = opened === null ? undefined : FormerKeyHash.parse(opened.text);
      return hash ? { id, endpoint, hash } : [];
    });
  }

  /** Stores the keyed hash of a key in the place of the former hash. Another replica may have done so already. */
  private async replace({ id, endpoint }: FormerKey, hash: string): Promise<number> {
    await this.dataSource.transaction(async (manager) => {
      const [removed] = await manager.query<[unknown[]]>(
        'DELETE FROM former_endpoint_keys WHERE id = $1 RETURNING id',
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
