import { SetMetadata } from '@nestjs/common';
import type { Principal, PrincipalKind, Role } from './principal.js';

/** Where {@link CallableBy} keeps its list. */
export const callableByKey = 'rdc:callable-by';

/** A kind of caller; `session` is everybody who is signed in, `session:<role>` whoever of them holds that role. */
export type CallerRule = PrincipalKind | `session:${Role}`;

/**
 * Says which kinds of caller may use a handler. What is not said is refused, so a handler without this decorator
 * answers nobody.
 *
 * This is the outer door, before anything of the request is read; which records a caller sees is decided by the
 * service behind it.
 */
export const CallableBy = (...rules: readonly CallerRule[]): MethodDecorator & ClassDecorator =>
  SetMetadata(callableByKey, rules);

/** For handlers whose answer no key changes: an unknown key is as good as none. */
export const CallableByAnyone = (): MethodDecorator & ClassDecorator =>
  CallableBy('anonymous', 'unknown', 'user', 'endpoint', 'global', 'session');

/** Whether a list of {@link CallableBy} lets a caller in. */
export function admits(rules: readonly CallerRule[], caller: Principal): boolean {
  if (rules.includes(caller.kind)) return true;
  return caller.kind === 'session' && caller.roles.some((role) => rules.includes(`session:${role}`));
}
