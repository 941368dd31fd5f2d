import { SetMetadata } from '@nestjs/common';
import type { Principal, PrincipalKind, Role } from './principal.js';
import { scopes, type Scope } from './scopes.js';

/** The metadata key under which {@link CallableBy} keeps its list. */
export const callableByKey = 'rdc:callable-by';

/**
 * A kind of caller; `session` is every session, `session:<role>` a session of a user with that role, `scope:<scope>` a
 * service key with that scope, and `service` every service key.
 */
export type CallerRule = PrincipalKind | `session:${Role}` | `scope:${Scope}`;

/**
 * Names the kinds of caller that may use a handler. Every other caller is refused, so a handler without this decorator
 * refuses all callers.
 *
 * This check runs before anything of the request is read. The service decides which records a caller sees.
 */
export const CallableBy = (...rules: readonly CallerRule[]): MethodDecorator & ClassDecorator =>
  SetMetadata(callableByKey, rules);

/** Admits all callers to a handler whose answer no key changes: an unknown key counts as none. */
export const CallableByAnyone = (): MethodDecorator & ClassDecorator =>
  CallableBy('anonymous', 'unknown', 'user', 'endpoint', 'global', 'session', 'service');

/** Whether a list of {@link CallableBy} admits a caller. */
export function admits(rules: readonly CallerRule[], caller: Principal): boolean {
  if (rules.includes(caller.kind)) return true;
  if (caller.kind === 'service') return caller.scopes.some((scope) => rules.includes(`scope:${scope}`));
  return caller.kind === 'session' && caller.roles.some((role) => rules.includes(`session:${role}`));
}

/** Returns the scopes that a list of {@link CallableBy} names. */
export function scopesIn(rules: readonly CallerRule[]): Scope[] {
  return scopes.filter((scope) => rules.includes(`scope:${scope}`));
}
