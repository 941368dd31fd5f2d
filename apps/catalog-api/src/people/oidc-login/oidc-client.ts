import { Injectable } from '@nestjs/common';
import { DependencyDownError, type AppError } from '@rdc/errors';
import * as openid from 'openid-client';
import { SessionSettings } from '../sessions/session.settings.js';
import type { Claims } from './claims.js';
import { OidcLoginRefusedError } from './errors.js';
import type { LoginAttempt } from './login-attempt.js';

/** The time that the issuer has for one answer. */
const timeoutSeconds = 5;

/** The failures that count as an outage of the issuer, not as a refusal. Network failures have no code. */
const outages = ['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_PARSE_ERROR', undefined];

/** The address for the browser and the secrets of the login. */
export interface AuthorizationRequest {
  readonly url: string;
  readonly secrets: Omit<LoginAttempt, 'returnTo'>;
}

/** A client of OpenID Connect for the issuer in the settings. Uses the authorization code flow with PKCE, state and nonce. */
@Injectable()
export class OidcClient {
  private configuration: Promise<openid.Configuration> | undefined;

  constructor(private readonly settings: SessionSettings) {}

  /** Whether an issuer is configured. */
  get isConfigured(): boolean {
    return this.settings.OIDC_ISSUER !== undefined;
  }

  /** The claim with the roles of a person; undefined if administrators assign roles. */
  get rolesClaim(): string | undefined {
    return this.settings.OIDC_ROLES_CLAIM;
  }

  /** Begins a login. @throws DependencyDownError if the issuer does not answer */
  async beginLogin(redirectUri: string): Promise<AuthorizationRequest> {
    const configuration = await this.configured();
    const secrets = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      codeVerifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email profile',
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(secrets.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, secrets };
  }

  /**
   * Finishes a login. Returns the claims of the signed ID token and of the user-info endpoint.
   *
   * @param callback the full address to which the browser returned
   * @throws OidcLoginRefusedError if the answer does not belong to this attempt
   * @throws DependencyDownError if the issuer does not answer
   */
  async finishLogin(callback: URL, attempt: LoginAttempt): Promise<Claims & { readonly sub: string }> {
    const configuration = await this.configured();
    try {
      const tokens = await openid.authorizationCodeGrant(configuration, callback, {
        pkceCodeVerifier: attempt.codeVerifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims)
        throw new OidcLoginRefusedError('answer', 'The identity provider did not return the identity of the person.');
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const more = hasUserInfo ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
      return { ...more, ...claims };
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** Returns the configuration of the issuer. Discovery runs once, and again only after a failure. */
  private configured(): Promise<openid.Configuration> {
    this.configuration ??= this.discover().catch((error: unknown) => {
      this.configuration = undefined;
      throw new DependencyDownError('identity provider', error);
    });
    return this.configuration;
  }

  private discover(): Promise<openid.Configuration> {
    const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: client = '', OIDC_CLIENT_SECRET: secret } = this.settings;
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- for development; the settings refuse it in production
    const plain = issuer.startsWith('http:') ? [openid.allowInsecureRequests] : [];
    return openid.discovery(new URL(issuer), client, secret, undefined, {
      execute: [...plain, openid.enableNonRepudiationChecks],
      timeout: timeoutSeconds,
    });
  }
}

function failureOf(error: unknown): AppError {
  if (error instanceof OidcLoginRefusedError) return error;
  if (error instanceof openid.AuthorizationResponseError) {
    return new OidcLoginRefusedError('provider', `The identity provider returned the error ${error.error}.`, {
      cause: error,
    });
  }
  if (error instanceof openid.ResponseBodyError && error.status < 500) {
    return new OidcLoginRefusedError('provider', `The identity provider returned the error ${error.error}.`, {
      cause: error,
    });
  }
  if (error instanceof openid.ClientError && !outages.includes(error.code)) {
    return new OidcLoginRefusedError('answer', 'The answer of the identity provider does not belong to this login.', {
      cause: error,
    });
  }
  return new DependencyDownError('identity provider', error);
}
