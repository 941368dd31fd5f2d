import { UnprovenWriteError } from '@rdc/errors';
import type { Purpose } from './key-directory.js';
import { equalSecrets } from './key-hash.js';
import type { SessionRequest } from './session-request.js';

const readingMethods = new Set(['GET', 'HEAD']);

/** Returns whether a request reads or writes, by its method. */
export function purposeOf({ method }: Pick<SessionRequest, 'method'>): Purpose {
  return readingMethods.has(method) ? 'read' : 'write';
}

/**
 * Returns the error if a write may not use its session; null if it may. Browsers also send the cookie with requests
 * from pages of other sites. A write must therefore have the `Origin` of this service and the CSRF token of the
 * session.
 */
export function sessionWriteError(request: SessionRequest, csrfToken: string): UnprovenWriteError | null {
  if (purposeOf(request) === 'read') return null;
  const { origin } = request.headers;
  if (!origin || origin !== request.servedOrigin) {
    return new UnprovenWriteError(
      `A write by session must have the Origin ${request.servedOrigin || 'of this service'}; it has ${origin || 'none'}. ` +
        'If both are the same site, add the address of its proxy to TRUSTED_PROXIES.',
    );
  }
  const presented = request.headers['x-csrf-token'];
  if (typeof presented !== 'string' || !equalSecrets(presented, csrfToken)) {
    return new UnprovenWriteError(
      'A write by session requires the header X-CSRF-Token; GET /api/session returns its value.',
    );
  }
  return null;
}
