import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AccessDeniedError, KeyRequiredError, UnknownKeyError } from '@rdc/errors';
import { apiKeyOf, maxKeyLength, type KeyCarrier } from './api-key.js';
import { callableByKey } from './callable-by.decorator.js';
import type { IdentifiedRequest } from './caller.decorator.js';
import { KeyDirectory } from './key-directory.js';
import type { Principal, PrincipalKind } from './principal.js';

/** Finds out who is calling, and refuses whoever the handler does not name with `@CallableBy`. */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly directory: KeyDirectory,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<KeyCarrier & IdentifiedRequest>();
    const allowed = this.reflector.getAllAndOverride<readonly PrincipalKind[] | undefined>(callableByKey, [
      context.getHandler(),
      context.getClass(),
    ]);
    const principal = await this.identify(request);
    request.principal = principal;
    if (!allowed?.includes(principal.kind)) throw refusalOf(principal.kind);
    return true;
  }

  private async identify(request: KeyCarrier): Promise<Principal> {
    const key = apiKeyOf(request);
    if (key === null) return { kind: 'anonymous' };
    return key.length > maxKeyLength ? { kind: 'unknown' } : this.directory.identify(key);
  }
}

function refusalOf(kind: PrincipalKind): Error {
  if (kind === 'anonymous') return new KeyRequiredError();
  if (kind === 'unknown') return new UnknownKeyError();
  return new AccessDeniedError(`This is not for ${kind} keys.`);
}
