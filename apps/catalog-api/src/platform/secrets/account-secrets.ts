import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** The purpose of a secret. Each purpose has a separate key, so a value is valid for one purpose only. */
export type SecretPurpose =
  'endpoint key' | 'event signature' | 'login name' | 'password link' | 'recovery code' | 'second factor';

/** A decrypted text, and whether it should be encrypted again. */
export interface OpenedSecret {
  readonly text: string;
  /** Whether the text was encrypted under the previous secret. */
  readonly isStale: boolean;
}

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const format = 'v1.';

/**
 * Hashes and encrypts secrets of accounts, so that a copy of the database does not reveal them. The keys are derived
 * from `KEY_HASH_SECRET` (HKDF-SHA256). During a rotation, values under the previous secret remain readable.
 */
export class AccountSecrets {
  /** @param secrets the current secret, then the previous ones that are still accepted */
  constructor(private readonly secrets: readonly [string, ...string[]]) {}

  /** Returns the keyed hash under which a secret is stored: 64 hexadecimal characters. */
  hash(purpose: SecretPurpose, text: string): string {
    return hmac(keyOf(this.secrets[0], purpose), text);
  }

  /** Returns every keyed hash under which a secret may be stored, the current one first. */
  candidates(purpose: SecretPurpose, text: string): string[] {
    return this.secrets.map((secret) => hmac(keyOf(secret, purpose), text));
  }

  /** Encrypts a text (AES-256-GCM). @param owner binds the result to one account: only the same owner opens it */
  seal(purpose: SecretPurpose, text: string, owner: string): string {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, keyOf(this.secrets[0], purpose), nonce).setAAD(Buffer.from(owner));
    const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    return format + Buffer.concat([nonce, sealing.getAuthTag(), body]).toString('base64url');
  }

  /**
   * Decrypts a text.
   *
   * @returns null if the text was encrypted under another secret or for another owner, or was changed
   */
  open(purpose: SecretPurpose, sealed: string, owner: string): OpenedSecret | null {
    for (const [index, secret] of this.secrets.entries()) {
      const text = decrypt(keyOf(secret, purpose), sealed, owner);
      if (text !== null) return { text, isStale: index > 0 };
    }
    return null;
  }
}

function keyOf(secret: string, purpose: SecretPurpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `catalog ${purpose}`, keyBytes));
}

function hmac(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

function decrypt(key: Buffer, sealed: string, owner: string): string | null {
  const bytes = Buffer.from(sealed.slice(format.length), 'base64url');
  if (!sealed.startsWith(format) || bytes.length < nonceBytes + tagBytes) return null;
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString('utf8');
  } catch {
    return null;
  }
}
