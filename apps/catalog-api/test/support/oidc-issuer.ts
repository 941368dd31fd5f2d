import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** A person who can sign in at the issuer. */
export interface IssuerPerson {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly [claim: string]: unknown;
}

/** A real OpenID Connect issuer on loopback, at which the person in `next` signs in without a form. */
export interface TestIssuer {
  readonly url: string;
  /** The settings that connect a catalog to the issuer. */
  readonly settings: Readonly<Record<string, string>>;
  /** The person who signs in next; null for a person who cancels the sign-in. */
  next: IssuerPerson | null;
  stop(): Promise<void>;
}

const clientId = 'catalog';
const clientSecret = 'the-secret-of-the-client-of-the-catalog';

/**
 * Starts the issuer.
 *
 * @param redirectUris returns the redirect URIs of the client; called at the first request
 * @param place the port, by default a free one, and the host name, by which browsers distinguish sites
 */
export async function startIssuer(
  redirectUris: () => string[],
  { port = 0, name = '127.0.0.1' } = {},
): Promise<TestIssuer> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://${name}:${String((server.address() as AddressInfo).port)}`;
  const issuer: TestIssuer = {
    url,
    settings: { OIDC_ISSUER: url, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
    next: { sub: 'nobody' },
    stop: () => stop(server),
  };
  let provider: Provider | undefined;
  server.on('request', (request, response) => {
    provider ??= new Provider(url, configurationOf(issuer, redirectUris()));
    if (!request.url?.startsWith('/interaction/')) {
      void provider.callback()(request, response);
      return;
    }
    const result = issuer.next ? { login: { accountId: issuer.next.sub } } : { error: 'access_denied' };
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });
  return issuer;
}

function configurationOf(issuer: TestIssuer, redirectUris: string[]): Configuration {
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
    claims: {
      openid: ['sub', 'roles', 'realm_access'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name'],
    },
    cookies: { keys: ['a key for the cookies of the issuer'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...issuer.next, sub }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        ...(oidc.session?.accountId !== undefined && { accountId: oidc.session.accountId }),
        ...(oidc.client && { clientId: oidc.client.clientId }),
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}
