import { Logger } from '@nestjs/common';
import { isRole, isScope, type ServicePrincipal, type SessionPrincipal } from '@rdc/auth';
import { DependencyDownError } from '@rdc/errors';

/** For how long the catalog may think about one answer: a caller waits for it. */
const timeoutMs = 2_000;

/** How often a catalog that refuses this service is logged. */
const logPauseMs = 60_000;

/** A caller that the catalog knows. */
export type IntrospectedCaller = SessionPrincipal | ServicePrincipal;

/** Asks the catalog which session or service key a token stands for. */
export class CatalogIntrospection {
  private readonly logger = new Logger(CatalogIntrospection.name);
  private readonly url: string;
  private loggedAt = -Infinity;

  /**
   * @param catalogUrl URL of the catalog, without `/api`
   * @param key a service key with the scope `introspection`, or the global key of the catalog
   */
  constructor(
    catalogUrl: string,
    private readonly key: string,
  ) {
    this.url = `${catalogUrl.replace(/\/$/, '')}/api/introspection`;
  }

  /**
   * Returns the caller; null if the token is not active.
   *
   * @throws DependencyDownError if the catalog does not answer in time, or refuses this service
   */
  async introspect(token: string): Promise<IntrospectedCaller | null> {
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { 'X-API-Key': this.key, 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify({ token }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(this.refusalOf(response.status));
      return callerOf(JSON.parse(text) as unknown);
    } catch (cause) {
      throw new DependencyDownError('catalog', cause);
    }
  }

  private refusalOf(status: number): string {
    const message = `the catalog answers ${String(status)} to introspection`;
    if (status < 500 && performance.now() - this.loggedAt > logPauseMs) {
      this.loggedAt = performance.now();
      this.logger.error(`${message}: CATALOG_API_KEY must be a valid service key with the scope introspection`);
    }
    return message;
  }
}

/** Reads an answer. @throws Error if it is not of the published form, which never counts as "not active" */
function callerOf(answer: unknown): IntrospectedCaller | null {
  const members = answer as Readonly<Record<string, unknown>> | null;
  if (members?.['active'] === false) return null;
  if (members?.['active'] === true && members['kind'] === 'session') return sessionOf(members);
  if (members?.['active'] === true && members['kind'] === 'service') return serviceOf(members);
  throw new Error('the catalog answers introspection in an unknown form');
}

function sessionOf(members: Readonly<Record<string, unknown>>): SessionPrincipal {
  const { user_id: userId, session_id: sessionId, subject, roles } = members;
  if (typeof userId !== 'string' || typeof sessionId !== 'string' || !Array.isArray(roles)) {
    throw new Error('the catalog describes a session in an unknown form');
  }
  const known = roles.filter(isRole);
  return { kind: 'session', userId, sessionId, subject: typeof subject === 'string' ? subject : null, roles: known };
}

function serviceOf(members: Readonly<Record<string, unknown>>): ServicePrincipal {
  const { key_id: keyId, name, scopes, expires_at } = members;
  if (typeof keyId !== 'string' || typeof name !== 'string' || !Array.isArray(scopes)) {
    throw new Error('the catalog describes a service key in an unknown form');
  }
  return {
    ...{ kind: 'service', keyId, name, scopes: scopes.filter(isScope) },
    submissions: limitsOf(members['submissions']),
    projects: limitsOf(members['projects']),
    expiresAt: typeof expires_at === 'string' ? new Date(expires_at) : null,
  };
}

/** A limit that cannot be read must not widen a key. */
function limitsOf(value: unknown): readonly string[] | null {
  if (value === null) return null;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new Error('the catalog describes the limits of a service key in an unknown form');
}
