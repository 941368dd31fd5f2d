export { AddressList, networkOf } from './address-list.js';
export { apiKeyOf, maxKeyLength, type KeyCarrier } from './api-key.js';
export { AuthGuard } from './auth.guard.js';
export { CallableBy, CallableByAnyone, type CallerRule } from './callable-by.decorator.js';
export { Caller, type IdentifiedRequest } from './caller.decorator.js';
export { cookieNameAt, readCookie, setCookieAt, type ServerCookie } from './cookie.js';
export { advisedGlobalKeyLength, GlobalKey } from './global-key.js';
export { KeyDirectory } from './key-directory.js';
export { equalSecrets, KeyHasher } from './key-hash.js';
export {
  hasRole,
  isRole,
  roles,
  type AnonymousPrincipal,
  type EndpointPrincipal,
  type GlobalPrincipal,
  type Principal,
  type PrincipalKind,
  type Role,
  type SessionPrincipal,
  type UnknownPrincipal,
  type UserPrincipal,
} from './principal.js';
export { ProcessWrongKeyLimit } from './process-wrong-key-limit.js';
export { sessionCookieName, SessionDirectory, TokenSessions } from './session-directory.js';
export { type SessionRequest } from './session-request.js';
export { minSessionSecretLength, sessionTokenSeconds, SessionTokens } from './session-token.js';
export { WrongKeyLimit } from './wrong-key-limit.js';
