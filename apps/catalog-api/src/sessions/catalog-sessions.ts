import { Injectable } from '@nestjs/common';
import { SessionDirectory, SessionTokens, type SessionPrincipal } from '@rdc/auth';
import { CatalogSettings } from '../settings.js';
import { SessionsRepository } from './sessions.repository.js';

/**
 * Asks the session's row at every request, so that a logout, a deactivation or another role acts at once. The token
 * only says which row, so here it may be older than five minutes.
 */
@Injectable()
export class CatalogSessions extends SessionDirectory {
  private readonly graceSeconds: number;

  constructor(
    tokens: SessionTokens,
    settings: CatalogSettings,
    private readonly repository: SessionsRepository,
  ) {
    super(tokens);
    this.graceSeconds = settings.SESSION_HOURS * 3600;
  }

  async identify(token: string): Promise<SessionPrincipal | null> {
    const claimed = await this.tokens.read(token, this.graceSeconds);
    const user = claimed && (await this.repository.findUser(claimed.sessionId));
    return user && { ...claimed, userId: String(user.id), subject: user.subject, roles: user.roles };
  }
}
