import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An issuer that answers every code with whatever token a test makes. */
export interface ForgingIssuer {
  readonly url: string;
  /** What a catalog needs to know of it. */
  readonly settings: Readonly<Record<string, string>>;
  /** What an honest ID token of this issuer says, for the nonce it was asked with. */
  claims(nonce: string): JWTPayload;
  /** Signs claims as this issuer does. */
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>, key?: CryptoKey): Promise<string>;
  /** The ID token of the next answer; null: it holds none. */
  idToken: string | null;
  /** Whom its user-info endpoint tells of. */
  userInfoSubject: string;
  stop(): Promise<void>;
}

const clientId = 'catalog';
const clientSecret = 'the-secret-of-the-client-of-the-catalog';
const keyId = 'key-of-the-issuer';

/** Starts it on a free loopback port. */
export async function startForgingIssuer(): Promise<ForgingIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }] };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://any').pathname;
    const answers: Readonly<Record<string, () => object>> = {
      '/.well-known/openid-configuration': () => metadataOf(issuer.url),
      '/jwks': () => jwks,
      '/token': () => ({
        access_token: 'opaque',
        token_type: 'Bearer',
        expires_in: 60,
        ...(issuer.idToken !== null && { id_token: issuer.idToken }),
      }),
      '/userinfo': () => ({ sub: issuer.userInfoSubject, email: 'grace@example.org', email_verified: true }),
    };
    sendJson(response, answers[path]?.());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const issuer: ForgingIssuer = {
    url,
    settings: { OIDC_ISSUER: url, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret },
    claims: (nonce) => ({ iss: url, aud: clientId, sub: 'grace', nonce, iat: nowSeconds(), exp: nowSeconds() + 60 }),
    sign: (claims, header, key = privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keyId, ...header }).sign(key),
    idToken: null,
    userInfoSubject: 'grace',
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return issuer;
}

/** Seconds since 1970, as tokens count them. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function metadataOf(url: string): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
  };
}

function sendJson(response: ServerResponse, body: object | undefined): void {
  response.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(body ?? {}));
}
