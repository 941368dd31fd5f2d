import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { SessionDirectory, SessionTokens, type SessionPrincipal } from '@rdc/auth';
import { currentRequest } from '@rdc/http';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { SessionsRepository } from './sessions.repository.js';

/** An open page renews its token by this request every few minutes, whether or not a person uses the page. */
const renewal = 'GET /api/session';

/**
 * Reads the session's row at every request, so that a logout, a deactivation or another role takes effect at once. The
 * token only names the row, so here it may be older than five minutes.
 */
@Injectable()
export class CatalogSessions extends SessionDirectory implements OnModuleDestroy {
  private readonly graceSeconds: number;
  private readonly pendingUses = new Set<Promise<void>>();

  constructor(
    tokens: SessionTokens,
    settings: CatalogSettings,
    private readonly repository: SessionsRepository,
  ) {
    super(tokens);
    this.graceSeconds = settings.SESSION_HOURS * 3600;
  }

  /** Finds the session of a token, and notes that the session is in use. @returns null if the session is over */
  async identify(token: string): Promise<SessionPrincipal | null> {
    const claimed = await this.tokens.read(token, this.graceSeconds);
    const user = claimed && (await this.repository.findUser(claimed.sessionId));
    if (!user) return null;
    if (user.isStale && currentRequest()?.route !== renewal) this.recordUse(claimed.sessionId);
    return { ...claimed, userId: String(user.id), subject: user.subject, roles: user.roles };
  }

  /** Waits for the uses that are being noted, so that closing the pool does not interrupt them. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.pendingUses);
  }

  /** Notes the use beside the request: the request does not wait for it and does not fail with it. */
  private recordUse(sessionId: string): void {
    const pending = this.repository.recordUse(sessionId).catch(() => undefined);
    this.pendingUses.add(pending);
    void pending.finally(() => this.pendingUses.delete(pending));
  }
}
