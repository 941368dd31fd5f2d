import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An issuer that answers every code with a token from the test. */
export interface ForgingIssuer {
  readonly url: string;
  /** The settings that connect a catalog to the issuer. */
  readonly settings: Readonly<Record<string, string>>;
  /** Returns the claims of a correct ID token for a nonce. */
  claims(nonce: string): JWTPayload;
  /** Signs claims; by default with the key of the issuer. */
  sign(claims: JWTPayload, header?: Partial<JWTHeaderParameters>, key?: CryptoKey): Promise<string>;
  /** The ID token of the next answer; null for an answer without an ID token. */
  idToken: string | null;
  /** The subject in answers of the user-info endpoint. */
  userInfoSubject: string;
  stop(): Promise<void>;
}

const clientId = 'catalog';
const clientSecret = 'the-secret-of-the-client-of-the-catalog';
const keyId = 'key-of-the-issuer';

/** Starts the issuer on a free loopback port. */
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

/** Returns the current time in seconds since 1970. */
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
