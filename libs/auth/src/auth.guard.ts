import { Injectable, Optional, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  AccessDeniedError,
  KeyRequiredError,
  MissingScopeError,
  SessionEndedError,
  UnknownKeyError,
} from '@rdc/errors';
import { apiKeyOf, maxKeyLength, type KeyCarrier } from './api-key.js';
import { admits, callableByKey, scopesIn, type CallerRule } from './callable-by.decorator.js';
import type { IdentifiedRequest } from './caller.decorator.js';
import { cookieNameAt, readCookie } from './cookie.js';
import { KeyDirectory } from './key-directory.js';
import type { Principal } from './principal.js';
import { sessionCookieName, SessionDirectory } from './session-directory.js';
import type { SessionRequest } from './session-request.js';
import { sessionWriteError, purposeOf } from './session-write.js';
import { WrongKeyLimit } from './wrong-key-limit.js';

type Request = KeyCarrier & SessionRequest & IdentifiedRequest;

/** The caller of a request, and the error if the handler does not admit the caller. */
interface Identified {
  readonly principal: Principal;
  readonly refusal: () => Error;
}

/**
 * A guard that identifies the caller by key or by session, and refuses every caller that `@CallableBy` does not name.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly directory: KeyDirectory,
    @Optional() private readonly sessions?: SessionDirectory,
    @Optional() private readonly wrongKeys?: WrongKeyLimit,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const rules =
      this.reflector.getAllAndOverride<readonly CallerRule[] | undefined>(callableByKey, [
        context.getHandler(),
        context.getClass(),
      ]) ?? [];
    await this.admit(request, rules);
    request.checkAgain = () => this.admit(request, rules);
    return true;
  }

  private async admit(request: Request, rules: readonly CallerRule[]): Promise<void> {
    const key = apiKeyOf(request);
    const { principal, refusal } =
      key === null ? await this.bySession(request) : await this.byKey(key, request, scopesIn(rules));
    request.principal = principal;
    if (admits(rules, principal)) return;
    if (principal.kind === 'unknown') await this.wrongKeys?.recordFailure(request.clientAddress);
    throw refusal();
  }

  private async byKey(key: string, request: Request, scopes: readonly string[]): Promise<Identified> {
    const principal: Principal =
      key.length > maxKeyLength ? { kind: 'unknown' } : await this.directory.identify(key, purposeOf(request));
    return { principal, refusal: () => refusalOf(principal, scopes) };
  }

  /**
   * Identifies the caller by session. If the session has ended, or the origin of a write is unproven, the caller is
   * anonymous.
   */
  private async bySession(request: Request): Promise<Identified> {
    const token = readCookie(request.headers.cookie, cookieNameAt(request.servedOrigin, sessionCookieName));
    if (token === null || !this.sessions)
      return { principal: { kind: 'anonymous' }, refusal: () => new KeyRequiredError() };
    const session = await this.sessions.identify(token, purposeOf(request));
    if (!session) return { principal: { kind: 'anonymous' }, refusal: () => new SessionEndedError() };
    const writeError = sessionWriteError(request, this.sessions.csrfTokenOf(session));
    if (writeError) return { principal: { kind: 'anonymous' }, refusal: () => writeError };
    return { principal: session, refusal: () => new AccessDeniedError('None of your roles permits this operation.') };
  }
}

function refusalOf(principal: Principal, scopes: readonly string[]): Error {
  if (principal.kind === 'unknown') return new UnknownKeyError();
  if (principal.kind === 'service') return new MissingScopeError(principal.name, scopes);
  return new AccessDeniedError(`This operation does not accept ${principal.kind} keys.`);
}
