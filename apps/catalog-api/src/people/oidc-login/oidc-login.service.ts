import { Injectable, Logger } from '@nestjs/common';
import { setCookieAt } from '@rdc/auth';
import { InvalidInputError, UnknownRouteError } from '@rdc/errors';
import { AccountsRepository } from '../account-sync/accounts.repository.js';
import type { SignedInUser } from '../sessions/sessions.repository.js';
import { oidcPath, SessionsService } from '../sessions/sessions.service.js';
import { SignInTrail } from '../sessions/sign-in-trail.js';
import type { RequestOrigin } from '../sessions/request-origin.js';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import { accountOf, rolesOf, type Claims } from './claims.js';
import { OidcLoginRefusedError } from './errors.js';
import { attemptCookieName, attemptFromCookie, attemptSeconds, attemptToCookie } from './login-attempt.js';
import { OidcClient } from './oidc-client.js';
import { PeopleRepository } from './people.repository.js';
import { isOwnPath } from './return-path.js';
import { returnUrlFor } from './return-url.js';

/** The time that the import of a new person waits for other writers of users. A synchronisation takes seconds. */
const lockTimeoutMs = 10_000;

/** Signs people in at the identity provider. Every caller may try. */
@Injectable()
export class OidcLoginService {
  private readonly logger = new Logger(OidcLoginService.name);

  constructor(
    private readonly settings: HttpSettings,
    private readonly client: OidcClient,
    private readonly accounts: AccountsRepository,
    private readonly people: PeopleRepository,
    private readonly sessions: SessionsService,
    private readonly trail: SignInTrail,
  ) {}

  /**
   * Returns the address at the issuer. If the issuer is down, returns the requested page with the reason.
   *
   * @param returnTo the path on this site to which the browser returns; by default, the console
   * @throws UnknownRouteError if no issuer is configured
   * @throws InvalidInputError if the path is not on this site
   */
  async begin(returnTo: string | undefined, request: RequestOrigin): Promise<string> {
    const target = returnTo ?? this.console;
    const redirectUri = this.callbackAt(request.origin);
    if (!isOwnPath(target, request.origin)) {
      throw new InvalidInputError([{ field: 'return_to', problem: 'must be a path on this site, such as /console' }]);
    }
    return this.redirectOnFailure(target, request, async () => {
      const { url, secrets } = await this.client.beginLogin(redirectUri);
      const value = attemptToCookie({ ...secrets, returnTo: target });
      request.setCookie(setCookieAt(request.origin, { name: attemptCookieName, value, maxAgeSeconds: attemptSeconds }));
      return url;
    });
  }

  /**
   * Signs in the person who returned from the issuer. Returns the address to which the browser goes next.
   *
   * @param query the query of the callback, as in the address
   * @throws OidcLoginRefusedError if the browser did not begin this login, or the account may not sign in
   */
  async finish(query: string, request: RequestOrigin): Promise<string> {
    const callback = new URL(`${this.callbackAt(request.origin)}${query}`);
    const attempt = attemptFromCookie(request.cookie(attemptCookieName), request.origin);
    request.setCookie(setCookieAt(request.origin, { name: attemptCookieName, value: '', maxAgeSeconds: 0 }));
    return this.redirectOnFailure(attempt?.returnTo ?? this.console, request, async () => {
      if (!attempt) {
        throw new OidcLoginRefusedError('answer', 'This browser did not begin a login here, or the login has expired.');
      }
      const claims = await this.client.finishLogin(callback, attempt);
      await this.sessions.open(await this.personOf(claims), request, {
        method: 'identity_provider',
        secondFactor: null,
      });
      return attempt.returnTo;
    });
  }

  /** Runs a step of a login. If the step fails, returns the requested page with the reason. */
  private async redirectOnFailure(
    requestedPath: string,
    request: RequestOrigin,
    step: () => Promise<string>,
  ): Promise<string> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof OidcLoginRefusedError) await this.trail.refused(error.account ?? 'unknown', error.reason);
      const url = returnUrlFor(error, requestedPath, request);
      this.logger.warn(error);
      return url;
    }
  }

  private async personOf(claims: Claims & { readonly sub: string }): Promise<SignedInUser> {
    const known = await this.people.findActive(claims.sub);
    if (!known) await this.accounts.importAccount(accountOf(claims.sub, claims), lockTimeoutMs);
    const person = known ?? (await this.people.findActive(claims.sub));
    if (!person) {
      throw new OidcLoginRefusedError(
        'account',
        'The account is deactivated, its e-mail address is not verified, or another user has the address.',
        { account: await this.people.auditNameOf(claims.sub) },
      );
    }
    const { rolesClaim: claim } = this.client;
    if (claim === undefined) return person;
    const roles = rolesOf(claims, claim);
    await this.people.setRoles(person.id, roles);
    return { ...person, roles };
  }

  private get console(): string {
    return `${this.settings.BASE_PATH ?? ''}/console`;
  }

  private callbackAt(origin: string): string {
    if (!this.client.isConfigured) throw new UnknownRouteError(oidcPath);
    return `${origin}${this.settings.BASE_PATH ?? ''}${oidcPath}/callback`;
  }
}
