import { keyParameter } from '../deprecated-query-key.js';

/** Markdown with the rules of every operation of both services, for the OpenAPI descriptions. */
export const commonRules = [
  '**Parameters.** If a request has a query parameter that the operation does not list, the response is 400. It names the',
  'unknown parameter and the nearest known one. Parameters whose names begin with `_` are ignored. A parameter may occur',
  'only once.',
  '',
  `**The key in the query is deprecated.** Send the key in the header \`X-API-Key\`. The parameter \`${keyParameter}\` still`,
  'works, but URLs with a key remain in logs and browser histories. Every response to such a request has the headers',
  '`Deprecation` (RFC 9745) and `Link` with `rel="deprecation"`, which refers to this page.',
].join('\n');

/** The security scheme of a key in the query. */
export const keyInQuery = {
  type: 'apiKey',
  in: 'query',
  name: keyParameter,
  description:
    'Deprecated: send the key in the header `X-API-Key`. Responses have the headers `Deprecation` and `Link`.',
} as const;
