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
 * Why a request may not act by its session, or null when it may: a browser sends the cookie whoever wrote the page, so
 * a write must prove that a page of ours made it, by its `Origin` and by the token that only our pages know.
 */
export function doubtOfWrite(request: SessionRequest, csrfToken: string): UnprovenWriteError | null {
  if (purposeOf(request) === 'read') return null;
  const { origin } = request.headers;
  if (!origin || origin !== request.servedOrigin) {
    return new UnprovenWriteError(
      `A write by session must come from ${request.servedOrigin || 'our own origin'}, not from ${origin || 'no Origin'}. ` +
        'If that is this site, the proxy before it must be in TRUSTED_PROXIES.',
    );
  }
  const presented = request.headers['x-csrf-token'];
  if (typeof presented !== 'string' || !equalSecrets(presented, csrfToken)) {
    return new UnprovenWriteError(
      'A write by session needs the header X-CSRF-Token; GET /api/session tells its value.',
    );
  }
  return null;
}
