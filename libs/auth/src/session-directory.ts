import type { SessionPrincipal } from './principal.js';
import type { SessionTokens } from './session-token.js';

/** The cookie that carries a session's token. */
export const sessionCookieName = 'catalog_session';

/**
 * Where sessions are known. The injection token of whatever each service knows them by; a service without one knows no
 * sessions.
 */
export abstract class SessionDirectory {
  constructor(protected readonly tokens: SessionTokens) {}

  /**
   * Whose session a token stands for; null when it is not ours or the session is over.
   *
   * @throws DependencyDownError when the store cannot be asked. That is never "over".
   */
  abstract identify(token: string): Promise<SessionPrincipal | null>;

  /** What a write of this session must carry as `X-CSRF-Token`. */
  csrfTokenOf(session: SessionPrincipal): string {
    return this.tokens.csrfTokenOf(session.sessionId);
  }
}

/** Believes the token alone, for a service that has no session table: what changed since shows within five minutes. */
export class TokenSessions extends SessionDirectory {
  async identify(token: string): Promise<SessionPrincipal | null> {
    return this.tokens.read(token);
  }
}
