import { keyParameter } from '../deprecated-query-key.js';

/** The description of the rules that every operation of both services keeps; part of their OpenAPI descriptions. */
export const commonRules = [
  '**Parameters.** A query parameter that an operation does not list is answered with 400, which names it and the nearest',
  'known one. Names that begin with `_` are ignored. A parameter may be given once.',
  '',
  `**The key in the query is deprecated.** Send the key in the header \`X-API-Key\`. \`?${keyParameter}=\` still works, but`,
  'addresses with a key remain in logs and histories; every answer to such a call carries `Deprecation` (RFC 9745) and a',
  '`Link` with `rel="deprecation"` to this page.',
].join('\n');

/** The security scheme of a key in the query. */
export const keyInQuery = {
  type: 'apiKey',
  in: 'query',
  name: keyParameter,
  description: 'Deprecated: send the key in the header `X-API-Key`. Answers carry `Deprecation` and `Link`.',
} as const;
