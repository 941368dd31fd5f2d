import { Injectable } from '@nestjs/common';
import { UnprovenWriteError } from '@rdc/errors';
import { sessionCookieName, SessionTokens, setCookieAt } from '@rdc/auth';
import { randomUUID } from 'node:crypto';
import { DataSource, type EntityManager } from 'typeorm';
import { requireSession } from '../../platform/administration/require-caller.js';
import { SessionSettings } from './session.settings.js';
import { SignInRequiredError, WrongLoginError } from './errors.js';
import { PasswordLogin } from './password-login.js';
import type { SessionResponse, SignIn } from './sign-in.dto.js';
import { SignInTrail, type SignInProof } from './sign-in-trail.js';
import { SessionsRepository, type SignedInUser } from './sessions.repository.js';
import { sessionTokenOf, type RequestOrigin } from './request-origin.js';

/** The path to which a browser goes to sign in at the identity provider. */
export const oidcPath = '/api/session/oidc';

/** Signs people in and out. */
@Injectable()
export class SessionsService {
  private readonly seconds: number;

  constructor(
    private readonly settings: SessionSettings,
    private readonly tokens: SessionTokens,
    private readonly passwords: PasswordLogin,
    private readonly repository: SessionsRepository,
    private readonly trail: SignInTrail,
    private readonly dataSource: DataSource,
  ) {
    this.seconds = settings.SESSION_HOURS * 3600;
  }

  /**
   * Signs in with a password. Every caller may try, except from a page of another site: such a page could sign a person
   * in to a foreign account.
   *
   * @throws WrongLoginError, SecondFactorError, RateLimitedError
   */
  async signIn({ login, password, code }: SignIn, request: RequestOrigin): Promise<SessionResponse> {
    refuseOtherSites(request);
    const { user, proof } = await this.passwords.check(login, { password, code }, request.address);
    return this.open(user, request, proof);
  }

  /**
   * Creates a session for a person who has proved an account. The session of the request ends, so that no person gets a
   * session that another person prepared.
   *
   * @throws WrongLoginError if the account was deactivated or its password changed after the proof
   */
  async open(user: SignedInUser, request: RequestOrigin, proof: SignInProof): Promise<SessionResponse> {
    await this.repository.removeEnded();
    const token = sessionTokenOf(request);
    const previous = token === null ? null : await this.tokens.read(token, this.seconds);
    const sessionId = await this.dataSource.transaction(async (manager) => {
      const id = await this.begin(manager, user.id, request, proof);
      if (previous) await this.repository.remove(manager, Number(previous.userId), previous.sessionId);
      return id;
    });
    return this.issueCookie(user, sessionId, request);
  }

  /** Creates a session as part of a transaction. After the commit, {@link issueCookie} sends it to the browser. */
  async begin(manager: EntityManager, userId: number, request: RequestOrigin, proof: SignInProof): Promise<string> {
    const { address, userAgent } = request;
    const id = randomUUID();
    if (!(await this.repository.begin(manager, { id, userId, address, userAgent, proof }))) throw new WrongLoginError();
    await this.trail.signedIn(manager, userId, id, proof);
    return id;
  }

  /** Returns the signed-in person and renews the token for five minutes. @throws SignInRequiredError if no session is open */
  async get(request: RequestOrigin): Promise<SessionResponse> {
    const { caller } = request;
    const user = caller.kind === 'session' ? await this.repository.findUser(caller.sessionId) : null;
    if (caller.kind !== 'session' || !user) {
      throw new SignInRequiredError(this.settings.OIDC_ISSUER === undefined ? null : oidcPath);
    }
    return this.issueCookie(user, caller.sessionId, request);
  }

  /** Ends the session of the caller: immediately, and within five seconds for reads at the provisioner. */
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

  /** Sends the browser the cookie of a session. */
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

/** Checks the origin of a request. @throws UnprovenWriteError if a page of another site sent the request */
export function refuseOtherSites({ pageOrigin, origin }: RequestOrigin): void {
  if (pageOrigin !== undefined && pageOrigin !== origin) {
    throw new UnprovenWriteError(`Pages of ${pageOrigin} may not send this request to ${origin}.`);
  }
}
