import { SetMetadata } from '@nestjs/common';
import type { Principal, PrincipalKind, Role } from './principal.js';
import { scopes, type Scope } from './scopes.js';

/** The metadata key of the rules of {@link CallableBy}. */
export const callableByKey = 'rdc:callable-by';

/**
 * A kind of caller. `session` admits every session, and `session:<role>` a session of a user with that role. `service`
 * admits every service key, and `scope:<scope>` a service key with that scope.
 */
export type CallerRule = PrincipalKind | `session:${Role}` | `scope:${Scope}`;

/**
 * Names the kinds of callers that may use a handler. Every other caller is refused. A handler without this decorator
 * refuses all callers.
 *
 * The guard checks these rules before the body is read. The services determine which records a caller may see.
 */
export const CallableBy = (...rules: readonly CallerRule[]): MethodDecorator & ClassDecorator =>
  SetMetadata(callableByKey, rules);

/** Admits all callers to a handler whose response does not depend on the key. An unknown key counts as absent. */
export const CallableByAnyone = (): MethodDecorator & ClassDecorator =>
  CallableBy('anonymous', 'unknown', 'user', 'endpoint', 'global', 'session', 'service');

/** Returns whether the rules of {@link CallableBy} admit a caller. */
export function admits(rules: readonly CallerRule[], caller: Principal): boolean {
  if (rules.includes(caller.kind)) return true;
  if (caller.kind === 'service') return caller.scopes.some((scope) => rules.includes(`scope:${scope}`));
  return caller.kind === 'session' && caller.roles.some((role) => rules.includes(`session:${role}`));
}

/** Returns the scopes in the rules of {@link CallableBy}. */
export function scopesIn(rules: readonly CallerRule[]): Scope[] {
  return scopes.filter((scope) => rules.includes(`scope:${scope}`));
}
