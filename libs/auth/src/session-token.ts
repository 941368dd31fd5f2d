import { createHmac } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { isRole, type Role, type SessionPrincipal } from './principal.js';

/** How long a service without the session table believes a token. */
export const sessionTokenSeconds = 300;

/** The shortest `SESSION_SECRET`: HS256 needs a key of 256 bits. */
export const minSessionSecretLength = 32;

/** Tells our session tokens from everything else that may be signed with the same secret. */
const tokenType = 'session+jwt';

/** The only signature we make and accept. A token that asks for another, or for none, is not ours. */
const algorithm = 'HS256';

/**
 * Signs and reads the token in which both services carry a session: who, with which roles, until when (five minutes).
 *
 * Both services have the same secret, so what the catalog signs the provisioner believes without asking anybody.
 */
export class SessionTokens {
  private readonly key: Uint8Array;

  /** @param secret the setting `SESSION_SECRET`, 32 characters or more */
  constructor(private readonly secret: string) {
    if (secret.length < minSessionSecretLength) throw new RangeError('SESSION_SECRET is too short');
    this.key = new TextEncoder().encode(secret);
  }

  /** A token that is good from now for five minutes. */
  async issue({ userId, subject, roles, sessionId }: Omit<SessionPrincipal, 'kind'>): Promise<string> {
    return new SignJWT({ subject, roles, sid: sessionId })
      .setProtectedHeader({ alg: algorithm, typ: tokenType })
      .setSubject(userId)
      .setIssuedAt()
      .setExpirationTime(`${String(sessionTokenSeconds)} s`)
      .sign(this.key);
  }

  /**
   * The session a token stands for; null when we did not sign it, when it was changed, or when it is over.
   *
   * @param graceSeconds for how long after its end a token is still read, by a service that asks the session table
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

  /** What a page of ours sends as `X-CSRF-Token` with each write of this session; nobody else can work it out. */
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
