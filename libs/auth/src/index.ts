export { AddressList } from './address-list.js';
export { apiKeyOf, maxKeyLength, type KeyCarrier } from './api-key.js';
export { AuthGuard } from './auth.guard.js';
export { CallableBy, CallableByAnyone } from './callable-by.decorator.js';
export { Caller, type IdentifiedRequest } from './caller.decorator.js';
export { advisedGlobalKeyLength, GlobalKey } from './global-key.js';
export { KeyDirectory } from './key-directory.js';
export { equalSecrets, KeyHasher } from './key-hash.js';
export {
  hasRole,
  roles,
  type AnonymousPrincipal,
  type EndpointPrincipal,
  type GlobalPrincipal,
  type Principal,
  type PrincipalKind,
  type Role,
  type UnknownPrincipal,
  type UserPrincipal,
} from './principal.js';
