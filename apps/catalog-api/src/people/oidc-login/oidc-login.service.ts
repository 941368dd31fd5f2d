import { Injectable, Logger } from '@nestjs/common';
import { setCookieAt } from '@rdc/auth';
import { InvalidInputError, UnknownRouteError } from '@rdc/errors';
import { AccountsRepository } from '../account-sync/accounts.repository.js';
import type { SignedInUser } from '../sessions/sessions.repository.js';
import { oidcPath, SessionsService } from '../sessions/sessions.service.js';
import { SignInTrail } from '../sessions/sign-in-trail.js';
import type { RequestOrigin } from '../sessions/request-origin.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { accountOf, rolesOf, type Claims } from './claims.js';
import { OidcLoginRefusedError } from './errors.js';
import { attemptCookieName, attemptFromCookie, attemptSeconds, attemptToCookie } from './login-attempt.js';
import { OidcClient } from './oidc-client.js';
import { PeopleRepository } from './people.repository.js';
import { isOwnPath } from './return-path.js';
import { returnUrlFor } from './return-url.js';

/** How long a person who is new here waits while others write users: a synchronisation of all accounts takes seconds. */
const lockTimeoutMs = 10_000;

/** Signing in at the identity provider, for a browser. Anyone may try. */
@Injectable()
export class OidcLoginService {
  private readonly logger = new Logger(OidcLoginService.name);

  constructor(
    private readonly settings: CatalogSettings,
    private readonly client: OidcClient,
    private readonly accounts: AccountsRepository,
    private readonly people: PeopleRepository,
    private readonly sessions: SessionsService,
    private readonly trail: SignInTrail,
  ) {}

  /**
   * Where the browser goes to sign in; to the page it wanted, with the reason, while the issuer is down.
   *
   * @param returnTo the path of ours where it goes after that; the console when none is given
   * @throws UnknownRouteError when there is no issuer, InvalidInputError for a path that is not ours
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
   * Signs in whoever came back; returns where the browser goes now, signed in or refused.
   *
   * @param query the query with which it came, as it stands in the address
   * @throws OidcLoginRefusedError when it is not the browser that left, or nobody of ours came
   */
  async finish(query: string, request: RequestOrigin): Promise<string> {
    const callback = new URL(`${this.callbackAt(request.origin)}${query}`);
    const attempt = attemptFromCookie(request.cookie(attemptCookieName), request.origin);
    request.setCookie(setCookieAt(request.origin, { name: attemptCookieName, value: '', maxAgeSeconds: 0 }));
    return this.redirectOnFailure(attempt?.returnTo ?? this.console, request, async () => {
      if (!attempt) {
        throw new OidcLoginRefusedError('answer', 'This browser did not begin a login here, or took too long.');
      }
      const claims = await this.client.finishLogin(callback, attempt);
      await this.sessions.open(await this.personOf(claims), request, {
        method: 'identity_provider',
        secondFactor: null,
      });
      return attempt.returnTo;
    });
  }

  /** Does a step of a login; a browser that fails in it goes to the page it wanted, which says why. */
  private async redirectOnFailure(
    wanted: string,
    request: RequestOrigin,
    step: () => Promise<string>,
  ): Promise<string> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof OidcLoginRefusedError) await this.trail.refused(error.account ?? 'unknown', error.reason);
      const place = returnUrlFor(error, wanted, request);
      this.logger.warn(error);
      return place;
    }
  }

  private async personOf(claims: Claims & { readonly sub: string }): Promise<SignedInUser> {
    const known = await this.people.findActive(claims.sub);
    if (!known) await this.accounts.importAccount(accountOf(claims.sub, claims), lockTimeoutMs);
    const person = known ?? (await this.people.findActive(claims.sub));
    if (!person) {
      throw new OidcLoginRefusedError(
        'account',
        'This account is deactivated, its e-mail address is not verified, or another user here has that address.',
        { account: await this.people.auditNameOf(claims.sub) },
      );
    }
    const { OIDC_ROLES_CLAIM: claim } = this.settings;
    if (claim === undefined) return person;
    const roles = rolesOf(claims, claim);
    await this.people.setRoles(person.id, roles);
    return { ...person, roles };
  }

  private get console(): string {
    return `${this.settings.BASE_PATH ?? ''}/console`;
  }

  private callbackAt(origin: string): string {
    if (this.settings.OIDC_ISSUER === undefined) throw new UnknownRouteError(oidcPath);
    return `${origin}${this.settings.BASE_PATH ?? ''}${oidcPath}/callback`;
  }
}
