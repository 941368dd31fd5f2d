import { GlobalKey, isServiceKey, KeyDirectory, SessionDirectory, type SessionTokens } from '@rdc/auth';
import type { Principal, Purpose, SessionPrincipal } from '@rdc/auth';
import { IntrospectionOffError } from '@rdc/errors';
import type { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { CallerCache } from './caller-cache.js';

/** Identifies callers by key: the global key locally, service keys with the catalog. */
export class ProvisionerKeys extends KeyDirectory {
  private readonly globalKey: GlobalKey;

  /** @param callers null if no catalog is configured */
  constructor(
    settings: ProvisionerSettings,
    private readonly callers: CallerCache | null,
  ) {
    super();
    this.globalKey = new GlobalKey(settings);
  }

  /** @throws IntrospectionOffError if the key is a service key and no catalog is configured */
  async identify(key: string, purpose: Purpose): Promise<Principal> {
    if (this.globalKey.matches(key)) return { kind: 'global' };
    if (!isServiceKey(key)) return { kind: 'unknown' };
    if (!this.callers) throw new IntrospectionOffError();
    return (await this.callers.identify(key, purpose)) ?? { kind: 'unknown' };
  }
}

/**
 * Identifies sessions with the catalog. A token that the catalog did not sign, or that is older than five minutes, is
 * refused without a call to the catalog.
 */
export class ProvisionerSessions extends SessionDirectory {
  /** @param callers null if no catalog is configured */
  constructor(
    tokens: SessionTokens,
    private readonly callers: CallerCache | null,
  ) {
    super(tokens);
  }

  /** @throws IntrospectionOffError if the token is valid and no catalog is configured */
  async identify(token: string, purpose: Purpose): Promise<SessionPrincipal | null> {
    const claimed = await this.tokens.read(token);
    if (!claimed) return null;
    if (!this.callers) throw new IntrospectionOffError();
    const caller = await this.callers.identify(token, purpose);
    return caller?.kind === 'session' && caller.sessionId === claimed.sessionId ? caller : null;
  }
}
