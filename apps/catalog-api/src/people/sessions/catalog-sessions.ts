import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { SessionDirectory, SessionTokens, type SessionPrincipal } from '@rdc/auth';
import { currentRequest } from '@rdc/http';
import { SessionSettings } from './session.settings.js';
import { SessionsRepository } from './sessions.repository.js';

/** An open page sends this request every few minutes to renew its token. It does not count as a use of the session. */
const renewal = 'GET /api/session';

/**
 * Reads the session's row at every request, so that a sign-out, a deactivation or a changed role takes effect
 * immediately. The token only identifies the row, so an expired token is accepted while the session is open.
 */
@Injectable()
export class CatalogSessions extends SessionDirectory implements OnModuleDestroy {
  private readonly graceSeconds: number;
  private readonly pendingUses = new Set<Promise<void>>();

  constructor(
    tokens: SessionTokens,
    settings: SessionSettings,
    private readonly repository: SessionsRepository,
  ) {
    super(tokens);
    this.graceSeconds = settings.SESSION_HOURS * 3600;
  }

  /** Finds the session of a token and records the use. @returns null if the session has ended */
  async identify(token: string): Promise<SessionPrincipal | null> {
    const claimed = await this.tokens.read(token, this.graceSeconds);
    const user = claimed && (await this.repository.findUser(claimed.sessionId));
    if (!user) return null;
    if (user.isStale && currentRequest()?.route !== renewal) this.recordUse(claimed.sessionId);
    return { ...claimed, userId: String(user.id), subject: user.subject, roles: user.roles };
  }

  /** Waits for pending updates of last uses, so that closing the pool does not interrupt them. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.pendingUses);
  }

  /** Records the use in the background. The request does not wait for the update and does not fail with it. */
  private recordUse(sessionId: string): void {
    const pending = this.repository.recordUse(sessionId).catch(() => undefined);
    this.pendingUses.add(pending);
    void pending.finally(() => this.pendingUses.delete(pending));
  }
}
