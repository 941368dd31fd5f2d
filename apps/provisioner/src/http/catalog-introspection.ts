import { Logger } from '@nestjs/common';
import { isRole, isScope, type ServicePrincipal, type SessionPrincipal } from '@rdc/auth';
import { DependencyDownError } from '@rdc/errors';

/** Timeout of a call to the catalog. */
const timeoutMs = 2_000;

/** Minimum time between two log lines about refused calls. */
const minLogIntervalMs = 60_000;

/** A caller that the catalog has identified. */
export type IntrospectedCaller = SessionPrincipal | ServicePrincipal;

/** The client of the catalog's introspection, which identifies the session or service key of a token. */
export class CatalogIntrospection {
  private readonly logger = new Logger(CatalogIntrospection.name);
  private readonly url: string;
  private loggedAt = -Infinity;

  /**
   * @param catalogUrl URL of the catalog, without `/api`
   * @param key a service key with the scope `introspection`, or the catalog's global key
   */
  constructor(
    catalogUrl: string,
    private readonly key: string,
  ) {
    this.url = `${catalogUrl.replace(/\/$/, '')}/api/introspection`;
  }

  /**
   * Identifies the caller.
   *
   * @returns null if the token is not active
   * @throws DependencyDownError if the catalog does not answer within two seconds or refuses the call
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
    const message = `introspection failed: the catalog returned status ${String(status)}`;
    if (status < 500 && performance.now() - this.loggedAt > minLogIntervalMs) {
      this.loggedAt = performance.now();
      this.logger.error(`${message}; CATALOG_API_KEY must be a valid service key with the scope introspection`);
    }
    return message;
  }
}

/** Parses a response. @throws Error if its form is unknown, so that such a response never counts as "not active" */
function callerOf(answer: unknown): IntrospectedCaller | null {
  const members = answer as Readonly<Record<string, unknown>> | null;
  if (members?.['active'] === false) return null;
  if (members?.['active'] === true && members['kind'] === 'session') return sessionOf(members);
  if (members?.['active'] === true && members['kind'] === 'service') return serviceOf(members);
  throw new Error('introspection failed: the response has an unknown form');
}

function sessionOf(members: Readonly<Record<string, unknown>>): SessionPrincipal {
  const { user_id: userId, session_id: sessionId, subject, roles } = members;
  if (typeof userId !== 'string' || typeof sessionId !== 'string' || !Array.isArray(roles)) {
    throw new Error('introspection failed: the session in the response has an unknown form');
  }
  const known = roles.filter(isRole);
  return { kind: 'session', userId, sessionId, subject: typeof subject === 'string' ? subject : null, roles: known };
}

function serviceOf(members: Readonly<Record<string, unknown>>): ServicePrincipal {
  const { key_id: keyId, name, scopes, expires_at } = members;
  if (typeof keyId !== 'string' || typeof name !== 'string' || !Array.isArray(scopes)) {
    throw new Error('introspection failed: the service key in the response has an unknown form');
  }
  return {
    ...{ kind: 'service', keyId, name, scopes: scopes.filter(isScope) },
    submissions: limitsOf(members['submissions']),
    projects: limitsOf(members['projects']),
    expiresAt: typeof expires_at === 'string' ? new Date(expires_at) : null,
  };
}

/** Parses the limits of a key. @throws Error if their form is unknown, so that such limits never extend a key */
function limitsOf(value: unknown): readonly string[] | null {
  if (value === null) return null;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw new Error('introspection failed: the limits in the response have an unknown form');
}
