import { SessionTokens } from '@rdc/auth';
import { SignJWT } from 'jose';
import { Browser } from '../../../test/support/browser.js';
import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { hashQuickly } from '../../../test/people.js';

const secret = 'the session secret of this suite, long enough';
const password = 'correct horse battery staple';
const admin = 'ada@example.org';
const nobody = 'noel@example.org';

interface Answer {
  user: { id: number; email: string };
  roles: string[];
  csrf: string;
  more: { code: string; sign_in?: unknown };
}

describe('/api/session', () => {
  let catalog: RunningCatalog;
  let browser: Browser;

  beforeAll(async () => {
    catalog = await startCatalog({ SESSION_SECRET: secret, ADMIN_EMAIL: admin, ADMIN_PASSWORD: password });
    const hash = await hashQuickly(password);
    await catalog.dataSource.query('INSERT INTO users (email, password_hash) VALUES ($1, $2)', [nobody, hash]);
    await catalog.dataSource.query('UPDATE users SET password_hash = $1', [hash]);
  });
  beforeEach(async () => {
    browser = new Browser(catalog.url);
    await catalog.dataSource.query(`UPDATE users SET active = true, roles = '{admin}' WHERE email = $1`, [admin]);
    await catalog.dataSource.query('TRUNCATE failure_counts, sessions');
  });
  afterAll(() => catalog.stop());

  const answerOf = async (response: Response): Promise<Answer> => (await response.json()) as Answer;
  const codeOf = async (response: Response): Promise<string> => (await answerOf(response)).more.code;

  describe('POST /api/session', () => {
    it('should sign in the first administrator with the address in any case, and set a cookie that scripts cannot read', async () => {
      const response = await browser.signIn('ADA@Example.ORG', password);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toEqual({
        user: { id: expect.any(Number) as number, subject: null, email: admin, first_name: '', last_name: '' },
        roles: ['admin'],
        csrf: expect.any(String) as string,
      });
      expect(browser.setCookies).toEqual([
        expect.stringMatching(/^catalog_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/),
      ]);
    });

    it.each([
      [admin, 'not the password'],
      ['nobody@example.org', password],
      ['', password],
      [admin, ''],
      [`${admin}' OR 1=1 --`, password],
    ])('should refuse %p with %p without a reason', async (login, wrong) => {
      const response = await browser.signIn(login, wrong);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({
        description: 'The login or the password is wrong, or the account may not sign in.',
        more: { code: 'login.refused' },
      });
      expect(browser.setCookies).toEqual([]);
    });

    it('should refuse a sign-in when the account is deactivated', async () => {
      await catalog.dataSource.query('UPDATE users SET active = false WHERE email = $1', [admin]);
      expect(await codeOf(await browser.signIn(admin, password))).toBe('login.refused');
    });

    it('should refuse a sign-in when the account has no password', async () => {
      await catalog.dataSource.query(`INSERT INTO users (email) VALUES ('idp@example.org')`);
      expect(await codeOf(await browser.signIn('idp@example.org', ''))).toBe('login.refused');
    });

    it.each([
      [{}, ['login', 'password']],
      [{ login: 7, password: [] }, ['login', 'password']],
      [{ login: admin, password, admin: true }, ['admin']],
      [{ login: admin, password: 'x'.repeat(1025) }, ['password']],
    ])('should report the malformed fields of the body %j', async (json, fields) => {
      const response = await browser.fetch('/api/session', { method: 'POST', json });
      expect(response.status).toBe(400);
      const { more } = (await response.json()) as { more: { fields: { field: string }[] } };
      expect([...new Set(more.fields.map(({ field }) => field))]).toEqual(fields);
    });

    it('should refuse a sign-in by a page of another site', async () => {
      for (const origin of ['https://evil.example', 'null']) {
        const headers = { Origin: origin };
        const json = { login: admin, password };
        const response = await browser.fetch('/api/session', { method: 'POST', json, headers });
        expect(response.status).toBe(403);
        expect(await codeOf(response)).toBe('csrf.refused');
      }
      expect(browser.cookies.size).toBe(0);
    });

    it('should create a new session at each sign-in and end the previous session (fixation)', async () => {
      const attacker = new Browser(catalog.url);
      await attacker.signIn(nobody, password);
      const planted = attacker.cookies.get('catalog_session') ?? '';
      browser.cookies.set('catalog_session', planted);
      await browser.signIn(admin, password);
      const own = browser.cookies.get('catalog_session') ?? '';
      const tokens = new SessionTokens(secret);
      expect((await tokens.read(own))?.sessionId).not.toBe((await tokens.read(planted))?.sessionId);
      expect((await attacker.fetch('/api/session')).status).toBe(403);
      expect((await answerOf(await browser.fetch('/api/session'))).user.email).toBe(admin);
    });

    it('should not accept a session id from the client', async () => {
      browser.cookies.set('catalog_session', 'c2Vzc2lvbg.chosen.by-somebody');
      await browser.signIn(admin, password);
      expect(browser.cookies.get('catalog_session')).not.toBe('c2Vzc2lvbg.chosen.by-somebody');
      expect((await browser.fetch('/api/session')).status).toBe(200);
    });
  });

  describe('GET /api/session', () => {
    it('should return the person who is signed in, and renew the token', async () => {
      const first = await answerOf(await browser.signIn(admin, password));
      const response = await browser.fetch('/api/session');
      expect(await response.json()).toEqual(first);
      expect(browser.setCookies).toHaveLength(1);
    });

    it('should return the addresses for signing in when there is no session, with any key', async () => {
      for (const key of [undefined, globalKey, 'wrong']) {
        const response = await catalog.fetch('/api/session', { key });
        expect(response.status).toBe(403);
        expect((await answerOf(response)).more).toMatchObject({
          code: 'session.required',
          sign_in: { password: '/api/session', oidc: null },
        });
      }
    });

    it('should apply a changed role immediately', async () => {
      await browser.signIn(admin, password);
      await catalog.dataSource.query(`UPDATE users SET roles = '{auditor}' WHERE email = $1`, [admin]);
      expect((await answerOf(await browser.fetch('/api/session'))).roles).toEqual(['auditor']);
    });

    it.each([
      ['technical', true],
      ['active', false],
    ])('should end a session permanently when the member %s of the account becomes %s', async (column, value) => {
      await browser.signIn(admin, password);
      for (const current of [value, !value]) {
        await catalog.dataSource.query(`UPDATE users SET ${column} = $1 WHERE email = $2`, [current, admin]);
        expect((await browser.fetch('/api/session')).status).toBe(403);
      }
    });

    it('should renew a token older than five minutes while the session is open, and not later', async () => {
      await browser.signIn(admin, password);
      const session = await new SessionTokens(secret).read(browser.cookies.get('catalog_session') ?? '');
      if (!session) throw new Error('no session');
      const old = await new SignJWT({ sid: session.sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'session+jwt' })
        .setSubject(session.userId)
        .setExpirationTime('1 hour ago')
        .sign(new TextEncoder().encode(secret));
      expect(await new SessionTokens(secret).read(old)).toBeNull();
      browser.cookies.set('catalog_session', old);
      expect((await browser.fetch('/api/session')).status).toBe(200);
      expect(await new SessionTokens(secret).read(browser.cookies.get('catalog_session') ?? '')).toEqual(session);
      await catalog.dataSource.query('UPDATE sessions SET expires_at = now()');
      expect((await browser.fetch('/api/session')).status).toBe(403);
    });

    it('should refuse a signed token whose session is not in the table', async () => {
      const forged = { userId: '1', subject: null, roles: ['admin'], sessionId: crypto.randomUUID() } as const;
      browser.cookies.set('catalog_session', await new SessionTokens(secret).issue(forged));
      expect((await browser.fetch('/api/session')).status).toBe(403);
    });
  });

  describe('DELETE /api/session', () => {
    it('should end the session for every copy of its cookie', async () => {
      await browser.signIn(admin, password);
      const copy = new Browser(catalog.url);
      copy.cookies.set('catalog_session', browser.cookies.get('catalog_session') ?? '');
      expect((await browser.fetch('/api/session', { method: 'DELETE' })).status).toBe(204);
      expect(browser.cookies.size).toBe(0);
      expect((await copy.fetch('/api/session')).status).toBe(403);
      const again = await browser.fetch('/api/session', { method: 'DELETE' });
      expect(again.status).toBe(403);
    });

    it.each([
      ['from another site', { Origin: 'https://evil.example' }],
      ['without an origin', { Origin: '' }],
      ['with another token', { 'X-CSRF-Token': 'guessed' }],
      ['without the token', { 'X-CSRF-Token': '' }],
    ])('should refuse a write %s (CSRF)', async (_, headers) => {
      await browser.signIn(admin, password);
      const response = await browser.fetch('/api/session', { method: 'DELETE', headers });
      expect(response.status).toBe(403);
      expect(await codeOf(response)).toBe('csrf.refused');
      expect((await browser.fetch('/api/session')).status).toBe(200);
    });

    it('should refuse the CSRF token of another session', async () => {
      const other = new Browser(catalog.url);
      await other.signIn(nobody, password);
      await browser.signIn(admin, password);
      browser.csrf = other.csrf;
      expect(await codeOf(await browser.fetch('/api/session', { method: 'DELETE' }))).toBe('csrf.refused');
    });
  });

  it('should mark the cookie as secure only when a trusted proxy reports https', async () => {
    const behind = await startCatalog({
      SESSION_SECRET: secret,
      ADMIN_EMAIL: admin,
      ADMIN_PASSWORD: password,
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'catalog.example.org' };
    const response = await behind.fetch('/api/session', {
      method: 'POST',
      headers: { ...forwarded, Origin: 'https://catalog.example.org' },
      body: JSON.stringify({ login: admin, password }),
    });
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-catalog_session=.*; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure$/);
    const [pair = ''] = cookie.split(';');
    expect((await behind.fetch('/api/session', { headers: { ...forwarded, Cookie: pair } })).status).toBe(200);
    const planted = pair.replace('__Host-', '');
    expect((await behind.fetch('/api/session', { headers: { ...forwarded, Cookie: planted } })).status).toBe(403);
    await behind.stop();
  });
});
