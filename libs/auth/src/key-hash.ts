import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/**
 * Turns keys into what is stored of them: an HMAC-SHA256 under a secret that is not in the database.
 *
 * Keys are random and long, so a fast hash is safe, and a lookup is one indexed read; a slow password hash would only
 * let strangers burn our CPU. During a rotation the previous secret's hash is tried too.
 */
export class KeyHasher {
  /** @param secrets the current secret first, then those still accepted during a rotation */
  constructor(private readonly secrets: readonly [string, ...string[]]) {}

  /** What is stored of a key made now: 64 hexadecimal characters. */
  hash(key: string): string {
    return hmac(this.secrets[0], key);
  }

  /** Every hash under which a key may be stored, the current one first. */
  candidates(key: string): string[] {
    return this.secrets.map((secret) => hmac(secret, key));
  }
}

function hmac(secret: string, key: string): string {
  return createHmac('sha256', secret).update(key).digest('hex');
}

/** Compares two secrets in a time that tells nothing about either, not even their lengths. */
export function equalSecrets(one: string, other: string): boolean {
  const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(one), digest(other));
}
