import { applyDecorators } from '@nestjs/common';
import { ApiCookieAuth, ApiForbiddenResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { CallableBy, type Principal } from '@rdc/auth';
import { AccessDeniedError } from '@rdc/errors';

/** Says of a controller that only an administrator may call it: the global key, or a session with the role `admin`. */
export function ForAdministrators(): ClassDecorator {
  return applyDecorators(
    CallableBy('global', 'session:admin'),
    ApiTags('administration'),
    ApiSecurity('key'),
    ApiCookieAuth('session'),
    ApiForbiddenResponse({ description: 'The caller is not an administrator.' }),
  );
}

/** The first line of everything that only an administrator may do. @throws AccessDeniedError */
export function requireAdministrator(caller: Principal): void {
  if (caller.kind === 'global') return;
  if (caller.kind === 'session' && caller.roles.includes('admin')) return;
  throw new AccessDeniedError('Only an administrator may do this.');
}

/** Says of one operation of an administrator's controller that data stewards may call it too. */
export function AllowCurators(): MethodDecorator {
  return CallableBy('global', 'session:admin', 'session:data_steward');
}

/** The first line of what administrators and data stewards may do. @throws AccessDeniedError */
export function requireCurator(caller: Principal): void {
  if (caller.kind === 'session' && caller.roles.includes('data_steward')) return;
  requireAdministrator(caller);
}
