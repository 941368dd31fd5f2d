import type { Purpose } from './key-directory.js';
import type { SessionPrincipal } from './principal.js';
import type { SessionTokens } from './session-token.js';

/** The name of the cookie with the token of a session. */
export const sessionCookieName = 'catalog_session';

/**
 * The injection token of a service's directory of sessions. A service without a directory accepts no sessions.
 */
export abstract class SessionDirectory {
  constructor(protected readonly tokens: SessionTokens) {}

  /**
   * Returns the session of a token; null if the signature is not valid or the session has ended.
   *
   * @throws DependencyDownError if the store is unavailable
   */
  abstract identify(token: string, purpose: Purpose): Promise<SessionPrincipal | null>;

  /** Returns the value of `X-CSRF-Token` that every write of the session must have. */
  csrfTokenOf(session: SessionPrincipal): string {
    return this.tokens.csrfTokenOf(session.sessionId);
  }
}
