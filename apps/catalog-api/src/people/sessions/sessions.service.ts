import { Injectable } from '@nestjs/common';
import { UnprovenWriteError } from '@rdc/errors';
import { sessionCookieName, SessionTokens, setCookieAt } from '@rdc/auth';
import { randomUUID } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { requireSession } from '../../platform/administration/require-caller.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import { SignInRequiredError, WrongLoginError } from './errors.js';
import { PasswordLogin } from './password-login.js';
import type { SessionResponse, SignIn } from './sign-in.dto.js';
import { SignInTrail, type SignInProof } from './sign-in-trail.js';
import { SessionsRepository, type SignedInUser } from './sessions.repository.js';
import { sessionTokenOf, type RequestOrigin } from './request-origin.js';

/** The path to which a browser goes to sign in at the identity provider. */
export const oidcPath = '/api/session/oidc';

/** Signing in and out, and the person who is signed in. */
@Injectable()
export class SessionsService {
  private readonly seconds: number;

  constructor(
    private readonly settings: CatalogSettings,
    private readonly tokens: SessionTokens,
    private readonly passwords: PasswordLogin,
    private readonly repository: SessionsRepository,
    private readonly trail: SignInTrail,
    private readonly dataSource: DataSource,
  ) {
    this.seconds = settings.SESSION_HOURS * 3600;
  }

  /**
   * Signs in with a password. Every caller may try, but not from a page of another site: that page could sign a person
   * in to an account that is not theirs.
   *
   * @throws WrongLoginError, SecondFactorError, RateLimitedError
   */
  async signIn({ login, password, code }: SignIn, request: RequestOrigin): Promise<SessionResponse> {
    refuseOtherSites(request);
    const { user, proof } = await this.passwords.check(login, { password, code }, request.address);
    return this.open(user, request, proof);
  }

  /**
   * Begins a session for a person who has proved who they are. The session is always a new one: the session that the
   * browser brought ends, so that no person gets a session that another person knows.
   *
   * @throws WrongLoginError if the account was deactivated, or got another password, since it was proved
   */
  async open(user: SignedInUser, request: RequestOrigin, proof: SignInProof): Promise<SessionResponse> {
    await this.repository.removeEnded();
    const brought = sessionTokenOf(request);
    const former = brought === null ? null : await this.tokens.read(brought, this.seconds);
    const sessionId = await this.dataSource.transaction(async (manager) => {
      const begun = await this.begin(manager, user.id, request, proof);
      if (former) await this.repository.remove(manager, Number(former.userId), former.sessionId);
      return begun;
    });
    return this.issueCookie(user, sessionId, request);
  }

  /** Begins a session as part of a transaction; {@link issueCookie} gives it to the browser after the commit. */
  async begin(manager: EntityManager, userId: number, request: RequestOrigin, proof: SignInProof): Promise<string> {
    const { address, userAgent } = request;
    const id = randomUUID();
    if (!(await this.repository.begin(manager, { id, userId, address, userAgent, proof }))) throw new WrongLoginError();
    await this.trail.signedIn(manager, userId, id, proof);
    return id;
  }

  /** Returns the person who is signed in; renews the token for another five minutes. @throws SignInRequiredError */
  async get(request: RequestOrigin): Promise<SessionResponse> {
    const { caller } = request;
    const user = caller.kind === 'session' ? await this.repository.findUser(caller.sessionId) : null;
    if (caller.kind !== 'session' || !user) {
      throw new SignInRequiredError(this.settings.OIDC_ISSUER === undefined ? null : oidcPath);
    }
    return this.issueCookie(user, caller.sessionId, request);
  }

  /** Ends the session of the caller, at once here and within five minutes at the provisioner. */
  async signOut(request: RequestOrigin): Promise<void> {
    const session = requireSession(request.caller);
    await this.dataSource.transaction(async (manager) => {
      const userId = Number(session.userId);
      const ended = await this.repository.remove(manager, userId, session.sessionId);
      if (ended) await this.trail.signedOut(manager, userId, ended.id);
    });
    this.clearCookie(request);
  }

  /** Removes the session cookie from the browser. */
  clearCookie(request: RequestOrigin): void {
    request.setCookie(setCookieAt(request.origin, { name: sessionCookieName, value: '', maxAgeSeconds: 0 }));
  }

  /** Gives the browser the cookie of a session. */
  async issueCookie(user: SignedInUser, sessionId: string, request: RequestOrigin): Promise<SessionResponse> {
    const { id, subject, email, firstName, lastName, roles } = user;
    const value = await this.tokens.issue({ userId: String(id), subject, roles, sessionId });
    request.setCookie(setCookieAt(request.origin, { name: sessionCookieName, value, maxAgeSeconds: this.seconds }));
    return {
      user: { id, subject, email, first_name: firstName, last_name: lastName },
      roles,
      csrf: this.tokens.csrfTokenOf(sessionId),
    };
  }
}

/** Refuses a request without a session that a page of another site made. @throws UnprovenWriteError */
export function refuseOtherSites({ pageOrigin, origin }: RequestOrigin): void {
  if (pageOrigin !== undefined && pageOrigin !== origin) {
    throw new UnprovenWriteError(`A page of ${pageOrigin} cannot do this at ${origin}.`);
  }
}
