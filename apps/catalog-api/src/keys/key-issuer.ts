import { KeyHasher } from '@rdc/auth';
import { UnknownRecordError } from '@rdc/errors';
import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { DataSource } from 'typeorm';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An endpoint's key has exactly this many characters (interface seed, section 8). */
export const endpointKeyLength = 64;

const userKeyLength = 48;

/** Makes keys. A key is returned once, here; only its keyed hash is kept. */
@Injectable()
export class KeyIssuer {
  constructor(
    private readonly hasher: KeyHasher,
    private readonly dataSource: DataSource,
  ) {}

  /** A new personal key; the former one ends. @throws UnknownRecordError */
  async issueForUser(email: string): Promise<string> {
    const key = randomKey(userKeyLength);
    const [, changed] = await this.dataSource.query<[unknown, number]>(
      `UPDATE users SET key_hash = $1, key_expires_at = NULL, key_last_used_at = NULL, updated_at = now()
        WHERE lower(email) = lower($2)`,
      [this.hasher.hash(key), email],
    );
    if (changed === 0) throw new UnknownRecordError('user', email);
    return key;
  }

  /**
   * A new key of an endpoint.
   *
   * @param overlapSeconds how long its other keys stay valid; 0 ends them now
   * @throws UnknownRecordError
   */
  async issueForEndpoint(name: string, overlapSeconds = 0): Promise<string> {
    const key = randomKey(endpointKeyLength);
    const made = await this.dataSource.query<unknown[]>(
      `WITH ended AS (
         UPDATE endpoint_keys AS key
            SET expires_at = least(key.expires_at, now() + make_interval(secs => $3)), updated_at = now()
           FROM endpoints AS endpoint
          WHERE key.endpoint_id = endpoint.id AND endpoint.name = $1)
       INSERT INTO endpoint_keys (endpoint_id, key_hash)
       SELECT id, $2 FROM endpoints WHERE name = $1 RETURNING id`,
      [name, this.hasher.hash(key), overlapSeconds],
    );
    if (made.length === 0) throw new UnknownRecordError('endpoint', name);
    return key;
  }
}

function randomKey(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
