import { SetMetadata } from '@nestjs/common';
import type { PrincipalKind } from './principal.js';

/** Where {@link CallableBy} keeps its list. */
export const callableByKey = 'rdc:callable-by';

/**
 * Says which kinds of caller may use a handler. What is not said is refused, so a handler without this decorator
 * answers nobody.
 *
 * This is the outer door, before anything of the request is read; which records a caller sees is decided by the
 * service behind it.
 */
export const CallableBy = (...kinds: readonly PrincipalKind[]): MethodDecorator & ClassDecorator =>
  SetMetadata(callableByKey, kinds);

/** For handlers whose answer no key changes: an unknown key is as good as none. */
export const CallableByAnyone = (): MethodDecorator & ClassDecorator =>
  CallableBy('anonymous', 'unknown', 'user', 'endpoint', 'global');
