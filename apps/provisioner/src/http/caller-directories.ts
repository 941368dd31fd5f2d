import { GlobalKey, isServiceKey, KeyDirectory, SessionDirectory, type SessionTokens } from '@rdc/auth';
import type { Principal, Purpose, SessionPrincipal } from '@rdc/auth';
import { IntrospectionOffError } from '@rdc/errors';
import type { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { CallerCache } from './known-callers.js';

/** Knows the global key by itself, and service keys by the catalog. The global key works without the catalog. */
export class ProvisionerKeys extends KeyDirectory {
  private readonly globalKey: GlobalKey;

  /** @param callers null if this service is not connected to the catalog */
  constructor(
    settings: ProvisionerSettings,
    private readonly callers: CallerCache | null,
  ) {
    super();
    this.globalKey = new GlobalKey(settings);
  }

  /** @throws IntrospectionOffError for a service key without a catalog to ask */
  async identify(key: string, purpose: Purpose): Promise<Principal> {
    if (this.globalKey.matches(key)) return { kind: 'global' };
    if (!isServiceKey(key)) return { kind: 'unknown' };
    if (!this.callers) throw new IntrospectionOffError();
    return (await this.callers.identify(key, purpose)) ?? { kind: 'unknown' };
  }
}

/**
 * Knows sessions by the catalog. A token that the catalog did not sign, or that is older than five minutes, is refused
 * here and costs no call.
 */
export class ProvisionerSessions extends SessionDirectory {
  /** @param callers null if this service is not connected to the catalog */
  constructor(
    tokens: SessionTokens,
    private readonly callers: CallerCache | null,
  ) {
    super(tokens);
  }

  /** @throws IntrospectionOffError for a signed token without a catalog to ask */
  async identify(token: string, purpose: Purpose): Promise<SessionPrincipal | null> {
    const claimed = await this.tokens.read(token);
    if (!claimed) return null;
    if (!this.callers) throw new IntrospectionOffError();
    const caller = await this.callers.identify(token, purpose);
    return caller?.kind === 'session' && caller.sessionId === claimed.sessionId ? caller : null;
  }
}
