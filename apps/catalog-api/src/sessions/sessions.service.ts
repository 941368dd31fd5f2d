import { Injectable } from '@nestjs/common';
import { AccessDeniedError, UnprovenWriteError } from '@rdc/errors';
import { sessionCookieName, SessionTokens, setCookieAt } from '@rdc/auth';
import { randomUUID } from 'node:crypto';
import { CatalogSettings } from '../settings.js';
import { SignInRequiredError } from './errors.js';
import { PasswordLogin } from './password-login.js';
import type { SessionResponse, SignIn } from './sign-in.dto.js';
import { SessionsRepository, type SignedInUser } from './sessions.repository.js';
import { sessionTokenOf, type Visit } from './visit.js';

/** Where the browser goes to sign in at the identity provider. */
export const oidcPath = '/api/session/oidc';

/** Signing in and out, and who is signed in. */
@Injectable()
export class SessionsService {
  private readonly seconds: number;

  constructor(
    private readonly settings: CatalogSettings,
    private readonly tokens: SessionTokens,
    private readonly passwords: PasswordLogin,
    private readonly repository: SessionsRepository,
  ) {
    this.seconds = settings.SESSION_HOURS * 3600;
  }

  /**
   * Signs in with a password. Anyone may try, but not from another site's page: that would sign a person in as
   * somebody else.
   */
  async signIn({ login, password }: SignIn, visit: Visit): Promise<SessionResponse> {
    if (visit.askedFrom !== undefined && visit.askedFrom !== visit.origin) {
      throw new UnprovenWriteError(`A page of ${visit.askedFrom} cannot sign anybody in to ${visit.origin}.`);
    }
    const user = await this.passwords.check(login, password, visit.address);
    return this.open(user, visit);
  }

  /**
   * Begins a session for somebody who has proved who they are. It is always a new one: whatever session the browser
   * brought ends, so that nobody can be given one that another knows.
   */
  async open(user: SignedInUser, visit: Visit): Promise<SessionResponse> {
    const brought = sessionTokenOf(visit);
    const former = brought === null ? null : await this.tokens.read(brought, this.seconds);
    if (former) await this.repository.remove(former.sessionId);
    const sessionId = randomUUID();
    await this.repository.create(sessionId, user.id, this.settings.SESSION_HOURS);
    return this.hand(user, sessionId, visit);
  }

  /** Who is signed in; renews the token for another five minutes. @throws SignInRequiredError */
  async get(visit: Visit): Promise<SessionResponse> {
    const { caller } = visit;
    const user = caller.kind === 'session' ? await this.repository.findUser(caller.sessionId) : null;
    if (caller.kind !== 'session' || !user) {
      throw new SignInRequiredError(this.settings.OIDC_ISSUER === undefined ? null : oidcPath);
    }
    return this.hand(user, caller.sessionId, visit);
  }

  /** Ends the session of the caller, at once here and within five minutes at the provisioner. */
  async signOut(visit: Visit): Promise<void> {
    if (visit.caller.kind !== 'session') throw new AccessDeniedError('Only a session can be ended.');
    await this.repository.remove(visit.caller.sessionId);
    visit.leave(setCookieAt(visit.origin, { name: sessionCookieName, value: '', maxAgeSeconds: 0 }));
  }

  private async hand(user: SignedInUser, sessionId: string, visit: Visit): Promise<SessionResponse> {
    const { id, subject, email, firstName, lastName, roles } = user;
    const value = await this.tokens.issue({ userId: String(id), subject, roles, sessionId });
    visit.leave(setCookieAt(visit.origin, { name: sessionCookieName, value, maxAgeSeconds: this.seconds }));
    return {
      user: { id, subject, email, first_name: firstName, last_name: lastName },
      roles,
      csrf: this.tokens.csrfTokenOf(sessionId),
    };
  }
}
