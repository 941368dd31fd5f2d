export { AddressList, isPublicAddress, networkOf } from './address-list.js';
export { maxKeyLength } from './api-key.js';
export { AuthGuard } from './auth.guard.js';
export {
  admits,
  callableByKey,
  CallableBy,
  CallableByAnyone,
  scopesIn,
  type CallerRule,
} from './callable-by.decorator.js';
export { Caller, type IdentifiedRequest } from './caller.decorator.js';
export { cookieNameAt, readCookie, setCookieAt } from './cookie.js';
export { GlobalKey } from './global-key.js';
export { KeyDirectory, type Purpose } from './key-directory.js';
export { equalSecrets, KeyHasher } from './key-hash.js';
export {
  hasRole,
  hasScope,
  isLimitedToProjects,
  isLimitedToSubmissions,
  isRole,
  roles,
  type EndpointPrincipal,
  type Principal,
  type Role,
  type ServicePrincipal,
  type SessionPrincipal,
  type UserPrincipal,
} from './principal.js';
export { ProcessWrongKeyLimit } from './process-wrong-key-limit.js';
export { isScope, reservedScopes, scopes, type Scope } from './scopes.js';
export { isServiceKey, serviceKeyPrefix, serviceKeyRandomLength } from './service-key.js';
export { sessionCookieName, SessionDirectory } from './session-directory.js';
export { type SessionRequest } from './session-request.js';
export { minSessionSecretLength, SessionTokens } from './session-token.js';
export { WrongKeyLimit } from './wrong-key-limit.js';
