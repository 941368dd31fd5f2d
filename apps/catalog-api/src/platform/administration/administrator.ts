import { CallableBy, type Principal } from '@rdc/auth';
import { AccessDeniedError } from '@rdc/errors';

/** Restricts a controller to administrators: the global key, or a session with the role `admin`. */
export function ForAdministrators(): ClassDecorator {
  return CallableBy('global', 'session:admin');
}

/** Checks that the caller is an administrator. @throws AccessDeniedError if the caller is not */
export function requireAdministrator(caller: Principal): void {
  if (caller.kind === 'global') return;
  if (caller.kind === 'session' && caller.roles.includes('admin')) return;
  throw new AccessDeniedError('This operation requires the role admin or the global key.');
}

/** Allows data stewards to call one operation of a controller that is otherwise restricted to administrators. */
export function AllowCurators(): MethodDecorator {
  return CallableBy('global', 'session:admin', 'session:data_steward');
}

/** Checks that the caller is an administrator or a data steward. @throws AccessDeniedError if the caller is neither */
export function requireCurator(caller: Principal): void {
  if (caller.kind === 'session' && caller.roles.includes('data_steward')) return;
  requireAdministrator(caller);
}
