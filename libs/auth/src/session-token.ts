import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { isRole, type Role, type SessionPrincipal } from './principal.js';

/** Lifetime of a token, within which a service without the session table accepts the token. */
export const sessionTokenSeconds = 300;

/** Minimum length of `SESSION_SECRET`: HS256 needs a key of 256 bits. */
export const minSessionSecretLength = 32;

/** The type that distinguishes session tokens from other tokens with the same secret. */
const tokenType = 'session+jwt';

/** The only accepted signature algorithm. */
const algorithm = 'HS256';

/**
 * The tokens of sessions, which contain the user, the roles and an expiry time after five minutes.
 *
 * Both services have the same secret, so the provisioner can verify the catalog's tokens without a request.
 */
export class SessionTokens {
  private readonly key: Uint8Array;

  /** @param secret the setting `SESSION_SECRET`, 32 characters or more */
  constructor(private readonly secret: string) {
    if (secret.length < minSessionSecretLength)
      throw new RangeError(`SESSION_SECRET must have at least ${String(minSessionSecretLength)} characters`);
    this.key = new TextEncoder().encode(secret);
  }

  /** Returns a token that expires in five minutes. */
  async issue({ userId, subject, roles, sessionId }: Omit<SessionPrincipal, 'kind'>): Promise<string> {
    return new SignJWT({ subject, roles, sid: sessionId })
      .setProtectedHeader({ alg: algorithm, typ: tokenType })
      .setSubject(userId)
      .setIssuedAt()
      .setExpirationTime(`${String(sessionTokenSeconds)} s`)
      .sign(this.key);
  }

  /**
   * Returns the session of a token; null if the signature is not valid or the token has expired.
   *
   * @param graceSeconds time for which an expired token is still accepted, for a service that checks the session table
   */
  async read(token: string, graceSeconds = 0): Promise<SessionPrincipal | null> {
    try {
      const { payload } = await jwtVerify(token, this.key, {
        algorithms: [algorithm],
        typ: tokenType,
        requiredClaims: ['sub', 'sid', 'exp'],
        clockTolerance: graceSeconds,
      });
      return principalOf(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  /** Returns the value of `X-CSRF-Token` for the writes of a session. Only a holder of the secret can compute it. */
  csrfTokenOf(sessionId: string): string {
    return createHmac('sha256', this.secret).update(`csrf ${sessionId}`).digest('base64url');
  }
}

function principalOf(claims: Readonly<Record<string, unknown>>): SessionPrincipal | null {
  const { sub: userId, sid: sessionId, subject, roles } = claims;
  if (typeof userId !== 'string' || typeof sessionId !== 'string') return null;
  return {
    kind: 'session',
    userId,
    sessionId,
    subject: typeof subject === 'string' ? subject : null,
    roles: Array.isArray(roles) ? roles.filter((role): role is Role => isRole(role)) : [],
  };
}
