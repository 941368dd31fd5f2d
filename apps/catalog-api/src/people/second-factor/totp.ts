import { Secret, TOTP } from 'otpauth';

/** The length of a time step. Every authenticator supports 30 seconds. */
const periodSeconds = 30;

/** The number of bytes of a new secret, equal to the length of a SHA-1 hash (RFC 6238). */
const secretBytes = 20;

/** The number of steps before and after the current step whose codes are accepted, for clocks that differ. */
const tolerance = 1;

/** Returns a new random secret in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** Returns the address for a QR code. @param account the name that the authenticator shows */
export function totpUri(secret: string, account: string): string {
  return totpOf(secret, account).toString();
}

/**
 * Returns the time step of a code. The comparison takes the same time for every code.
 *
 * @returns null if the code belongs to no step that is accepted now
 */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: tolerance });
  return delta === null ? null : Math.floor(now / 1000 / periodSeconds) + delta;
}

function totpOf(secret: string, label = 'account'): TOTP {
  return new TOTP({
    issuer: 'Data catalog',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: Secret.fromBase32(secret),
  });
}
