import { sessionCookieName } from '@rdc/auth';
import { keyParameter } from '../deprecated-query-key.js';

/** The security schemes of both services. The guard accepts all of them. */
export const securitySchemes = {
  key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description:
      'The global key, the key of an endpoint, a personal key or a service key. The member `x-callers` of an operation lists the accepted kinds of keys and scopes.',
  },
  'key-in-query': {
    type: 'apiKey',
    in: 'query',
    name: keyParameter,
    description:
      'Deprecated: send the key in the header `X-API-Key`. Responses have the headers `Deprecation` and `Link`.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName,
    description:
      'The session of a person. `POST /api/session` of the catalog sets the cookie. Under HTTPS, the name of the cookie begins with `__Host-`.',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'X-CSRF-Token',
    description:
      'The member `csrf` of `GET /api/session`. A write by session requires this header, and the header `Origin` of the service.',
  },
} as const;
