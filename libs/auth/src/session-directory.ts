import type { Purpose } from './key-directory.js';
import type { SessionPrincipal } from './principal.js';
import type { SessionTokens } from './session-token.js';

/** The cookie that carries a session's token. */
export const sessionCookieName = 'catalog_session';

/**
 * The sessions that a service knows: the injection token of the directory of each service. A service without a
 * directory knows no sessions.
 */
export abstract class SessionDirectory {
  constructor(protected readonly tokens: SessionTokens) {}

  /**
   * Returns the session that a token stands for; null if this system did not sign the token, or the session has ended.
   *
   * @throws DependencyDownError if the store does not answer, which never counts as "ended"
   */
  abstract identify(token: string, purpose: Purpose): Promise<SessionPrincipal | null>;

  /** Returns the value that a write of this session must carry as `X-CSRF-Token`. */
  csrfTokenOf(session: SessionPrincipal): string {
    return this.tokens.csrfTokenOf(session.sessionId);
  }
}
