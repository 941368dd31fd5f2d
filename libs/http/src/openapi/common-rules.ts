import { keyParameter } from '../deprecated-query-key.js';

/** Markdown with the rules of every operation of both services, for the OpenAPI descriptions. */
export const commonRules = [
  '**Callers.** The member `security` of an operation names the accepted credentials, and `x-callers` the accepted kinds',
  'of callers: `global`, `user` and `endpoint` are kinds of keys, `scope:<scope>` is a service key with that scope,',
  '`session:<role>` is a session of a user with that role, `anonymous` is a caller without a key, and `unknown` a caller with an unknown key.',
  '',
  '**Errors.** The body of every error is an `Error`. The member `x-error-codes` of a response lists the codes that',
  '`more.code` can have, and the guide to error codes describes each. A request that reaches no operation has one of the',
  'codes `route.unknown` (404), `method.not_allowed` (405), `request.timeout` (408), `method.unknown` (501) and',
  '`version.unknown` (505).',
  '',
  '**Parameters.** If a request has a query parameter that the operation does not list, the response is 400. It names the',
  'unknown parameter and the nearest known one. Parameters whose names begin with `_` are ignored. A parameter may occur',
  'only once.',
  '',
  '**Versions.** This is version 1. Releases add operations, optional parameters, members of responses and error codes:',
  'clients must ignore unknown members. An incompatible change gets new paths, and the previous paths remain for at least',
  'two releases.',
  '',
  '**Deprecation.** A deprecated operation has `deprecated: true`, and its responses have the headers `Deprecation`',
  `(RFC 9745) and \`Link\` with \`rel="deprecation"\`. Deprecated today: the key in the query parameter \`${keyParameter}\`.`,
  'Send the key in the header `X-API-Key`, because URLs with a key remain in logs and browser histories.',
].join('\n');
