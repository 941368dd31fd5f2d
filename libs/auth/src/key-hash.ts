import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/**
 * A function from keys to the stored hashes: an HMAC-SHA256 under a secret that is not in the database.
 *
 * Keys are random and long, so a fast hash is safe and a lookup is one indexed read. A slow password hash would let
 * callers without a key use up the processor. During a rotation, hashes under the previous secret are also accepted.
 */
export class KeyHasher {
  /** @param secrets the current secret first, then the previous secrets that are still accepted */
  constructor(private readonly secrets: readonly [string, ...string[]]) {}

  /** Returns the hash of a key under the current secret: 64 hexadecimal characters. */
  hash(key: string): string {
    return hmac(this.secrets[0], key);
  }

  /** Returns every hash under which a key may be stored, the current hash first. */
  candidates(key: string): string[] {
    return this.secrets.map((secret) => hmac(secret, key));
  }
}

function hmac(secret: string, key: string): string {
  return createHmac('sha256', secret).update(key).digest('hex');
}

/** Compares two secrets in a time that does not depend on their contents or on their lengths. */
export function equalSecrets(one: string, other: string): boolean {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(one), digest(other));
}
