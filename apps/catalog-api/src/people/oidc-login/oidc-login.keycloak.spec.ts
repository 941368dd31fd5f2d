import { Browser } from '../../../test/support/browser.js';
import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { statusOf } from '../../../test/people-catalog.js';

const keycloak = process.env['TEST_KEYCLOAK_URL'] ?? '';
const password = 'correct horse battery';

describe('signing in at Keycloak', () => {
  let catalog: RunningCatalog;
  let browser: Browser;

  beforeAll(async () => {
    catalog = await startCatalog({
      OIDC_ISSUER: `${keycloak}/realms/ardenne`,
      OIDC_CLIENT_ID: 'catalog-login',
      OIDC_CLIENT_SECRET: 'catalog-login-secret',
      OIDC_ROLES_CLAIM: 'roles',
    });
  });
  beforeEach(() => {
    browser = new Browser(catalog.url);
  });
  afterAll(() => catalog.stop());

  /** Submits the form of Keycloak. Returns the address to which Keycloak redirects the browser, or null. */
  const fillIn = async (username: string, secret: string): Promise<string | null> => {
    const there = new Browser(keycloak);
    const away = await browser.fetch('/api/session/oidc?return_to=/console/projects');
    const page = await (await there.fetch(away.headers.get('location') ?? '')).text();
    const action = /<form[^>]*id="kc-form-login"[^>]*action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const body = new URLSearchParams({ username, password: secret });
    return (await there.fetch(action, { method: 'POST', body })).headers.get('location');
  };
  const signIn = async (username: string): Promise<Response> =>
    browser.fetch((await fillIn(username, password)) ?? 'no way back');

  it.each([
    ['jonas.keller', ['admin']],
    ['marie.weber', ['data_steward']],
    ['lea.thill', []],
  ])('should sign in %s with the roles %j', async (username, roles) => {
    const arrived = await signIn(username);
    expect(arrived.status).toBe(302);
    expect(arrived.headers.get('location')).toBe('/console/projects');
    const me = (await (await browser.fetch('/api/session')).json()) as {
      user: { email: string; subject: string };
      roles: string[];
      csrf: string;
    };
    expect(me).toMatchObject({ user: { email: `${username}@ardenne.example` }, roles });
    expect(me.user.subject).toMatch(/^7a1c0f5e-/);
    browser.csrf = me.csrf;
    expect((await browser.fetch('/api/session', { method: 'DELETE' })).status).toBe(204);
    expect((await browser.fetch('/api/session')).status).toBe(403);
  });

  it('should list the sessions of a person, end one session, and end all sessions by a deactivation', async () => {
    await signIn('lea.thill');
    const first = browser;
    browser = new Browser(catalog.url);
    await signIn('lea.thill');
    const listed = (await (await browser.fetch('/api/sessions')).json()) as {
      results: { id: string; method: string; current: boolean }[];
    };
    expect(listed.results.map(({ method, current }) => [method, current])).toEqual([
      ['identity_provider', true],
      ['identity_provider', false],
    ]);
    const me = (await (await browser.fetch('/api/session')).json()) as { user: { id: number }; csrf: string };
    browser.csrf = me.csrf;
    const other = `/api/sessions/${listed.results[1]?.id ?? ''}`;
    expect((await browser.fetch(other, { method: 'DELETE' })).status).toBe(204);
    expect([await statusOf(first), await statusOf(browser)]).toEqual([403, 200]);
    const change = (active: boolean): Promise<Response> =>
      catalog.fetch(`/api/admin/users/${String(me.user.id)}`, {
        ...{ method: 'PATCH', key: globalKey, body: JSON.stringify({ active }) },
      });
    expect((await change(false)).status).toBe(200);
    expect(await statusOf(browser)).toBe(403);
    expect((await signIn('lea.thill')).status).toBe(403);
    expect((await change(true)).status).toBe(200);
    expect(await statusOf(browser)).toBe(403);
    const trail = await catalog.dataSource.query<{ action: string; after: object | null }[]>(
      `SELECT action, after FROM audit_entries WHERE resource = 'sessions' AND record_id = $1 ORDER BY id DESC LIMIT 4`,
      [String(me.user.id)],
    );
    expect(trail.map(({ action }) => action)).toEqual(['refuse-sign-in', 'end-sessions', 'end-session', 'sign-in']);
    expect(trail[3]?.after).toMatchObject({ method: 'identity_provider', second_factor: null });
  });

  it('should end an idle session of a Keycloak user', async () => {
    await signIn('lea.thill');
    await catalog.dataSource.query(`UPDATE sessions SET last_used_at = now() - interval '61 minutes'`);
    expect(await statusOf(browser)).toBe(403);
  });

  it('should refuse an account whose address Keycloak has not verified', async () => {
    expect((await signIn('paul.unverified')).status).toBe(403);
    expect(browser.cookies.has('catalog_session')).toBe(false);
  });

  it('should not sign in at Keycloak with a wrong password or a disabled account', async () => {
    expect(await fillIn('jonas.keller', 'wrong')).toBeNull();
    expect(await fillIn('nora.disabled', password)).toBeNull();
  });
});
