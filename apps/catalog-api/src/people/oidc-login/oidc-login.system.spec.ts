import { Browser } from '../../../test/support/browser.js';
import { startIssuer, type IssuerPerson, type TestIssuer } from '../../../test/support/oidc-issuer.js';
import { startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import type { RequestOrigin } from '../sessions/request-origin.js';
import { returnUrlFor } from './return-url.js';
import { untilBlocked } from '../../../test/until-blocked.js';

const callbackPath = '/api/session/oidc/callback';
/** The headers of a navigation of a browser. */
const asPage = { headers: { Accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' } };
const grace: IssuerPerson = {
  sub: 'grace-subject',
  email: 'grace@example.org',
  email_verified: true,
  given_name: 'Grace',
  family_name: 'Hopper',
};

interface Answer {
  user: { id: number; subject: string | null; email: string };
  roles: string[];
  more: { code: string; sign_in?: unknown };
}

describe('/api/session/oidc', () => {
  let issuer: TestIssuer;
  let catalog: RunningCatalog;
  let browser: Browser;

  beforeAll(async () => {
    issuer = await startIssuer(() => [`${catalog.url}${callbackPath}`]);
    catalog = await startCatalog({ ...issuer.settings, OIDC_ROLES_CLAIM: 'realm_access.roles' });
  });
  beforeEach(async () => {
    browser = new Browser(catalog.url);
    issuer.next = grace;
    await catalog.dataSource.query('TRUNCATE users CASCADE');
  });
  afterAll(async () => {
    await catalog.stop();
    await issuer.stop();
  });

  /** Signs in at the issuer. Returns the address to which the issuer redirects the browser. */
  const visitIssuer = async (path = '/api/session/oidc'): Promise<string> => {
    const there = new Browser(issuer.url);
    let location = (await browser.fetch(path)).headers.get('location') ?? '';
    for (let hop = 0; hop < 10 && location.startsWith(issuer.url); hop++) {
      const next = (await there.fetch(location)).headers.get('location') ?? '';
      location = new URL(next, location).href;
    }
    return location;
  };
  const signIn = async (path?: string): Promise<Response> => browser.fetch(await visitIssuer(path));
  const whoAmI = async (): Promise<Answer> => (await (await browser.fetch('/api/session')).json()) as Answer;
  const codeOf = async (response: Response): Promise<string> => ((await response.json()) as Answer).more.code;
  const users = (): Promise<Record<string, unknown>[]> =>
    catalog.dataSource.query('SELECT subject, email, first_name, last_name, roles, active FROM users ORDER BY id');

  it('should redirect the browser with a new PKCE challenge, state and nonce each time', async () => {
    const leave = async (): Promise<URLSearchParams> => {
      const response = await new Browser(catalog.url).fetch('/api/session/oidc');
      expect(response.status).toBe(302);
      expect(response.headers.get('cache-control')).toBe('no-store');
      return new URL(response.headers.get('location') ?? '').searchParams;
    };
    const [one, other] = [await leave(), await leave()];
    expect(Object.fromEntries(one)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${catalog.url}${callbackPath}`,
      scope: 'openid email profile',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.get(name)?.length).toBeGreaterThanOrEqual(43);
      expect(one.get(name)).not.toBe(other.get(name));
    }
  });

  it('should sign in a new person, create a user, and redirect to the requested page', async () => {
    const response = await signIn('/api/session/oidc?return_to=%2Fconsole%2Fdatasets%3Fq%3Da');
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/console/datasets?q=a');
    expect([...browser.cookies.keys()]).toEqual(['catalog_session']);
    expect(await whoAmI()).toMatchObject({
      user: { subject: 'grace-subject', email: 'grace@example.org', first_name: 'Grace', last_name: 'Hopper' },
      roles: [],
    });
    await signIn();
    expect(await users()).toHaveLength(1);
  });

  it('should set the roles from the claim at each login, and record changes in the audit trail', async () => {
    issuer.next = { ...grace, realm_access: { roles: ['offline_access', 'auditor', 'data_steward', 'root'] } };
    await signIn();
    expect((await whoAmI()).roles).toEqual(['data_steward', 'auditor']);
    issuer.next = grace;
    await signIn();
    expect((await whoAmI()).roles).toEqual([]);
    const trail = await catalog.dataSource.query<unknown[]>(
      `SELECT before, after FROM audit_entries WHERE actor = 'login' ORDER BY id DESC LIMIT 2`,
    );
    expect(trail).toEqual([
      { before: { roles: ['data_steward', 'auditor'] }, after: { roles: [] } },
      { before: { roles: [] }, after: { roles: ['data_steward', 'auditor'] } },
    ]);
  });

  it('should match a user without subject by e-mail address, but not a user with a local password', async () => {
    await catalog.dataSource.query(`INSERT INTO users (email, first_name) VALUES ('Grace@Example.org', 'Amazing')`);
    await signIn();
    expect(await users()).toMatchObject([{ subject: 'grace-subject' }]);
    await catalog.dataSource.query(`UPDATE users SET subject = NULL, password_hash = 'x', roles = '{admin}'`);
    const refused = await signIn();
    expect(refused.status).toBe(403);
    expect(await codeOf(refused)).toBe('login.refused');
    expect(await users()).toMatchObject([{ subject: null, roles: ['admin'] }]);
  });

  it('should refuse a person with an unverified address and a deactivated user', async () => {
    issuer.next = { ...grace, email_verified: false };
    expect(await codeOf(await signIn())).toBe('login.refused');
    expect(await users()).toEqual([]);
    issuer.next = grace;
    await signIn();
    await catalog.dataSource.query('UPDATE users SET active = false');
    expect(await codeOf(await signIn())).toBe('login.refused');
    expect(await users()).toMatchObject([{ active: false }]);
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    'console',
    '',
    'http:evil.example',
    '/console\u0000',
  ])('should not redirect to %j after a login (open redirect)', async (target) => {
    const response = await browser.fetch(`/api/session/oidc?${new URLSearchParams({ return_to: target }).toString()}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ more: { fields: [{ field: 'return_to' }] } });
    const back = await visitIssuer();
    const attempt = JSON.parse(
      Buffer.from(browser.cookies.get('catalog_login') ?? '', 'base64url').toString(),
    ) as object;
    const forged = Buffer.from(JSON.stringify({ ...attempt, returnTo: target })).toString('base64url');
    browser.cookies.set('catalog_login', forged);
    const arrived = await browser.fetch(back);
    expect(arrived.status).toBe(403);
    expect(arrived.headers.get('location')).toBeNull();
  });

  it('should not sign in a browser that did not begin the login here (login CSRF)', async () => {
    const attackersWayBack = await visitIssuer();
    const victim = new Browser(catalog.url);
    expect(await codeOf(await victim.fetch(attackersWayBack))).toBe('login.refused');
    await victim.fetch('/api/session/oidc');
    expect(await codeOf(await victim.fetch(attackersWayBack))).toBe('login.refused');
    expect(victim.cookies.has('catalog_session')).toBe(false);
  });

  it('should refuse a callback that was used before', async () => {
    const back = await visitIssuer();
    const attempt = browser.cookies.get('catalog_login') ?? '';
    expect((await browser.fetch(back)).status).toBe(302);
    expect(browser.cookies.has('catalog_login')).toBe(false);
    const thief = new Browser(catalog.url);
    thief.cookies.set('catalog_login', attempt);
    expect(await codeOf(await thief.fetch(back))).toBe('login.refused');
    expect(thief.cookies.has('catalog_session')).toBe(false);
  });

  it.each([
    ['another state', { state: 'x'.repeat(43) }],
    ['no state', { state: undefined }],
    ['another code', { code: 'guessed' }],
    ['no code', { code: undefined }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['a refusal', { code: undefined, error: 'access_denied' }],
  ])('should refuse a callback with %s', async (_, change: Record<string, string | undefined>) => {
    const back = new URL(await visitIssuer());
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) back.searchParams.delete(name);
      else back.searchParams.set(name, value);
    }
    expect(await codeOf(await browser.fetch(back.href))).toBe('login.refused');
    expect(browser.cookies.has('catalog_session')).toBe(false);
  });

  it.each(['nonce', 'codeVerifier', 'state'])('should refuse a callback without the %s', async (part) => {
    const back = await visitIssuer();
    const attempt = JSON.parse(
      Buffer.from(browser.cookies.get('catalog_login') ?? '', 'base64url').toString(),
    ) as object;
    const other = Buffer.from(JSON.stringify({ ...attempt, [part]: 'y'.repeat(43) })).toString('base64url');
    browser.cookies.set('catalog_login', other);
    expect(await codeOf(await browser.fetch(back))).toBe('login.refused');
  });

  it.each([
    ['a person who cancelled the sign-in', null, 'provider'],
    ['a person without a verified address', { ...grace, email_verified: false }, 'account'],
  ])('should redirect %s to the requested page with the reason', async (_, person, reason) => {
    issuer.next = person;
    const back = await visitIssuer('/api/session/oidc?return_to=%2Fconsole%2Fdatasets%3Fq%3Da%23b');
    const refused = await browser.fetch(back, asPage);
    expect([refused.status, refused.headers.get('location')]).toEqual([302, `/console/datasets?q=a#sign-in=${reason}`]);
    const twice = await browser.fetch(back, asPage);
    expect([twice.status, twice.headers.get('location')]).toEqual([302, '/console#sign-in=answer']);
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  it('should wait with the import of a new person while all accounts are synchronised', async () => {
    const back = await visitIssuer('/api/session/oidc?return_to=/console/users');
    const synchronisation = catalog.dataSource.createQueryRunner();
    await synchronisation.startTransaction();
    await synchronisation.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
    const arrival = browser.fetch(back, asPage);
    await untilBlocked(catalog);
    await synchronisation.commitTransaction();
    await synchronisation.release();
    const arrived = await arrival;
    expect([arrived.status, arrived.headers.get('location')]).toEqual([302, '/console/users']);
    expect(await whoAmI()).toMatchObject({ user: { subject: 'grace-subject' } });
  });

  it('should redirect a browser with the reason when the database does not answer in time', async () => {
    const obstructed = catalog.dataSource.transaction(async (manager) => {
      await manager.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
      await catalog.dataSource.transaction(async (other) => {
        await other.query('SET LOCAL lock_timeout = 1');
        await other.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
      });
    });
    const error: unknown = await obstructed.catch((reason: unknown) => reason);
    const request = { acceptsHtml: true } as RequestOrigin;
    expect(returnUrlFor(error, '/console/users', request)).toBe('/console/users#sign-in=unavailable');
    expect(() => returnUrlFor(error, '/console/users', { ...request, acceptsHtml: false })).toThrow('lock timeout');
  });

  it('should end the previous session of the browser (fixation)', async () => {
    await signIn();
    const planted = new Browser(catalog.url);
    planted.cookies.set('catalog_session', browser.cookies.get('catalog_session') ?? '');
    await signIn();
    expect((await planted.fetch('/api/session')).status).toBe(403);
    expect((await browser.fetch('/api/session')).status).toBe(200);
  });

  it('should name the address of the login at /api/session, and answer 404 without an issuer', async () => {
    expect((await whoAmI()).more.sign_in).toEqual({ password: '/api/session', oidc: '/api/session/oidc' });
    const without = await startCatalog();
    for (const path of ['/api/session/oidc', callbackPath]) expect((await without.fetch(path)).status).toBe(404);
    await without.stop();
  });

  it('should answer 503 while the issuer is down, and recover', async () => {
    const early = await startIssuer(() => []);
    await early.stop();
    const waiting = await startCatalog(early.settings);
    const down = await waiting.fetch('/api/session/oidc', { redirect: 'manual' });
    expect(down.status).toBe(503);
    expect(down.headers.get('retry-after')).toBe('5');
    const shown = await waiting.fetch('/api/session/oidc?return_to=/console/users', { redirect: 'manual', ...asPage });
    expect([shown.status, shown.headers.get('location')]).toEqual([302, '/console/users#sign-in=unavailable']);
    const late = await startIssuer(() => [`${waiting.url}${callbackPath}`], {
      port: Number(new URL(early.url).port),
    });
    const traveller = new Browser(waiting.url);
    const away = await traveller.fetch('/api/session/oidc');
    expect(away.status).toBe(302);
    await late.stop();
    const state = new URL(away.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const query = new URLSearchParams({ code: 'any', state, iss: late.url });
    expect((await traveller.fetch(`${callbackPath}?${query.toString()}`)).status).toBe(503);
    await waiting.stop();
  });
});
