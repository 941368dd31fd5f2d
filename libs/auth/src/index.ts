export { AddressList, networkOf } from './address-list.js';
export { AuthGuard } from './auth.guard.js';
export { CallableBy, CallableByAnyone } from './callable-by.decorator.js';
export { Caller, type IdentifiedRequest } from './caller.decorator.js';
export { cookieNameAt, readCookie, setCookieAt } from './cookie.js';
export { GlobalKey } from './global-key.js';
export { KeyDirectory } from './key-directory.js';
export { equalSecrets, KeyHasher } from './key-hash.js';
export {
  hasRole,
  isRole,
  roles,
  type EndpointPrincipal,
  type Principal,
  type Role,
  type SessionPrincipal,
  type UserPrincipal,
} from './principal.js';
export { ProcessWrongKeyLimit } from './process-wrong-key-limit.js';
export { sessionCookieName, SessionDirectory, TokenSessions } from './session-directory.js';
export { type SessionRequest } from './session-request.js';
export { minSessionSecretLength, SessionTokens } from './session-token.js';
export { WrongKeyLimit } from './wrong-key-limit.js';
