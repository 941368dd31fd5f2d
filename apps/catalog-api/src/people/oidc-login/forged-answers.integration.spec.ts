import { generateKeyPair, type JWTPayload } from 'jose';
import { createHmac } from 'node:crypto';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { Browser } from '../../../test/support/browser.js';
import { nowSeconds, startForgingIssuer, type ForgingIssuer } from '../../../test/support/forging-issuer.js';

type Forge = (nonce: string, issuer: ForgingIssuer) => Promise<string | null> | string | null;

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a correctly signed token with changed claims. */
const withClaims =
  (change: JWTPayload): Forge =>
  (nonce, issuer) =>
    issuer.sign({ ...issuer.claims(nonce), ...change });

/** Returns a token whose signature is an HMAC with a public text as the key. */
function signedWithText(text: string, claims: JWTPayload): string {
  const signed = `${base64({ alg: 'HS256', kid: 'key-of-the-issuer' })}.${base64(claims)}`;
  return `${signed}.${createHmac('sha256', text).update(signed).digest('base64url')}`;
}

describe('a forged answer of the issuer', () => {
  let issuer: ForgingIssuer;
  let catalog: RunningCatalog;
  let browser: Browser;

  beforeAll(async () => {
    issuer = await startForgingIssuer();
    catalog = await startCatalog(issuer.settings);
  });
  beforeEach(() => {
    browser = new Browser(catalog.url);
    issuer.userInfoSubject = 'grace';
  });
  afterAll(async () => {
    await catalog.stop();
    await issuer.stop();
  });

  /** Begins a login and returns with any code. The issuer then returns the forged token. */
  const comeBack = async (forge: Forge): Promise<Response> => {
    const away = new URL((await browser.fetch('/api/session/oidc')).headers.get('location') ?? '');
    issuer.idToken = await forge(away.searchParams.get('nonce') ?? '', issuer);
    const query = new URLSearchParams({ code: 'any', state: away.searchParams.get('state') ?? '', iss: issuer.url });
    return browser.fetch(`/api/session/oidc/callback?${query.toString()}`);
  };

  it('should sign in with an honest answer', async () => {
    const arrived = await comeBack((nonce) => issuer.sign(issuer.claims(nonce)));
    expect(arrived.status).toBe(302);
    expect((await browser.fetch('/api/session')).status).toBe(200);
  });

  it.each<[string, Forge]>([
    [
      'signed with another key under the known key id',
      async (nonce) => {
        const { privateKey } = await generateKeyPair('RS256');
        return issuer.sign(issuer.claims(nonce), {}, privateKey);
      },
    ],
    [
      'signed with a key that the issuer does not publish',
      async (nonce) => {
        const { privateKey } = await generateKeyPair('RS256');
        return issuer.sign(issuer.claims(nonce), { kid: 'unknown' }, privateKey);
      },
    ],
    ['not signed at all (alg none)', (nonce) => `${base64({ alg: 'none' })}.${base64(issuer.claims(nonce))}.`],
    [
      'signed with the secret of the client (HS256)',
      (nonce) => signedWithText(issuer.settings['OIDC_CLIENT_SECRET'] ?? '', issuer.claims(nonce)),
    ],
    [
      'signed with the issuer’s public key as a secret (HS256)',
      async (nonce) => {
        const { keys } = (await (await fetch(`${issuer.url}/jwks`)).json()) as { keys: object[] };
        return signedWithText(JSON.stringify(keys[0]), issuer.claims(nonce));
      },
    ],
    [
      'changed after it was signed',
      async (nonce) => {
        const [header = '', , signature = ''] = (await issuer.sign(issuer.claims(nonce))).split('.');
        return [header, base64({ ...issuer.claims(nonce), sub: 'admin' }), signature].join('.');
      },
    ],
    ['that has expired', withClaims({ iat: nowSeconds() - 7200, exp: nowSeconds() - 3600 })],
    ['that is not valid yet', withClaims({ nbf: nowSeconds() + 3600 })],
    ['without an end', withClaims({ exp: undefined })],
    ['for another client', withClaims({ aud: 'another client' })],
    ['for several clients, made for another', withClaims({ aud: ['catalog', 'other'], azp: 'other' })],
    ['of another issuer', withClaims({ iss: 'https://evil.example' })],
    ['to another login (nonce)', withClaims({ nonce: 'x'.repeat(43) })],
    ['to no login (nonce)', withClaims({ nonce: undefined })],
    ['without a subject', withClaims({ sub: undefined })],
    ['that is missing', () => null],
  ])('should refuse an ID token %s', async (_, forge) => {
    const refused = await comeBack(forge);
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      description:
        'The answer of the identity provider does not belong to this login. Sign in again at /api/session/oidc.',
      more: { code: 'login.refused' },
    });
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  it('should answer 503 when the ID token is malformed', async () => {
    expect((await comeBack(() => 'no.token.atall')).status).toBe(503);
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  it('should refuse a login when the user-info endpoint returns another person', async () => {
    issuer.userInfoSubject = 'admin';
    const refused = await comeBack((nonce) => issuer.sign(issuer.claims(nonce)));
    expect([refused.status, [...browser.cookies.keys()]]).toEqual([403, []]);
  });
});
