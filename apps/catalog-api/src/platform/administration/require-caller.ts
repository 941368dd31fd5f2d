import { admits, type CallerRule, type Principal, type SessionPrincipal } from '@rdc/auth';
import { AccessDeniedError } from '@rdc/errors';

/**
 * Checks the permission of a caller. The first line of a service method that several kinds of caller may use.
 *
 * @throws AccessDeniedError if no rule admits the caller
 */
export function requireCaller(caller: Principal, rules: readonly CallerRule[]): void {
  if (!admits(rules, caller)) throw new AccessDeniedError('Your key or your roles do not allow this.');
}

/** Returns the session of a person who is signed in. @throws AccessDeniedError if the caller has no session */
export function requireSession(caller: Principal): SessionPrincipal {
  if (caller.kind !== 'session') throw new AccessDeniedError('Only a person who is signed in may do this.');
  return caller;
}
