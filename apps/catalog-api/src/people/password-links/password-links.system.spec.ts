import { grace, password, startPeopleCatalog, statusOf, type PeopleCatalog } from '../../../test/people-catalog.js';
import { Browser } from '../../../test/support/browser.js';

interface Link {
  url: string;
  expires_at: string;
}

interface Refusal {
  more: { code: string; fields?: { field: string; problem: string }[] };
}

describe('one-time links for passwords', () => {
  let catalog: PeopleCatalog;
  const path = '/api/admin/users/7/password-link';
  const wanted = 'seven quiet otters paddle';

  beforeAll(async () => {
    catalog = await startPeopleCatalog({ BASE_PATH: '/rdc', RATE_LIMIT_FAILED_LOGINS: '0' });
  });
  beforeEach(() => catalog.reset());
  afterAll(() => catalog.stop());

  const create = async (body?: object): Promise<string> => {
    const { status, body: link } = await catalog.send('POST', path, body);
    expect(status).toBe(201);
    return new URL(link.url).hash.slice(1);
  };
  const use = async (token: string, secret = wanted): Promise<[number, string | undefined]> => {
    const response = await new Browser(catalog.url).fetch('/api/session/password-link', {
      method: 'POST',
      json: { token, password: secret },
    });
    const text = await response.text();
    return [response.status, text ? (JSON.parse(text) as Refusal).more.code : undefined];
  };
  const signIn = async (secret: string): Promise<number> =>
    (await new Browser(catalog.url).signIn(grace.login, secret)).status;

  it.each([
    ['POST', path],
    ['DELETE', path],
  ])('should refuse %s %s for every caller except administrators', async (method, address) => {
    expect(await catalog.refusals(method, address)).toEqual(catalog.allRefused);
  });

  it('should contain the token in the fragment of a console address, and be stored only as a keyed hash', async () => {
    const response = await catalog.administrator.fetch(path, { method: 'POST', json: {} });
    const link = (await response.json()) as Link;
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(link.url).toMatch(new RegExp(`^${catalog.url}/rdc/console/set-password#[\\w-]{43}$`));
    const hours = (Date.parse(link.expires_at) - Date.now()) / 3_600_000;
    expect([hours > 23.9, hours <= 24]).toEqual([true, true]);
    const token = new URL(link.url).hash.slice(1);
    const stored = JSON.stringify(await catalog.query('SELECT * FROM password_links'));
    const trail = JSON.stringify(await catalog.query('SELECT * FROM audit_entries'));
    expect(stored + trail).not.toContain(token);
    expect((await catalog.lastEntries(1, 'users'))[0]).toMatchObject({
      ...{ actor: 'user:90000', action: 'create-password-link', record_id: '7', address: '127.0.0.1' },
      after: { expires_at: link.expires_at, adds_password: false },
    });
  });

  it('should set the password once, end all sessions, and write an audit entry', async () => {
    const thief = await catalog.signedIn();
    const token = await create();
    expect(await statusOf(thief)).toBe(200);
    expect(await use(token)).toEqual([204, undefined]);
    expect(await statusOf(thief)).toBe(403);
    expect([await signIn(password), await signIn(wanted)]).toEqual([403, 200]);
    expect(await use(token, 'nine loud herons wade')).toEqual([403, 'password_link.refused']);
    expect((await catalog.lastEntries(1, 'users'))[0]).toMatchObject({
      ...{ actor: 'user:7', action: 'set-password', record_id: '7', after: { by: 'password link' } },
    });
    const ends = await catalog.query(`SELECT actor, after FROM audit_entries WHERE action = 'end-sessions'`);
    expect(ends).toContainEqual({ actor: 'user:7', after: { ended: 1, reason: 'password' } });
  });

  it('should be consumed by one of two concurrent requests', async () => {
    const token = await create();
    const answers = await Promise.all([use(token), use(token, 'nine loud herons wade')]);
    expect(answers.map(([status]) => status).sort()).toEqual([204, 403]);
    expect(await catalog.query(`SELECT 1 FROM password_links`)).toEqual([]);
  });

  it.each<[string, (token: string) => Promise<unknown>]>([
    ['a newer link was created', () => create()],
    ['the link was withdrawn', () => catalog.send('DELETE', path)],
    ['the link is too old', () => catalog.query(`UPDATE password_links SET expires_at = now()`)],
    [
      'the account was deactivated and activated',
      async () => {
        await catalog.send('PATCH', '/api/admin/users/7', { active: false });
        await catalog.send('PATCH', '/api/admin/users/7', { active: true });
      },
    ],
    ['the password was changed since', () => catalog.query(`UPDATE users SET password_hash = 'x' WHERE id = 7`)],
  ])('should be refused when %s', async (_, event) => {
    const token = await create();
    await event(token);
    expect(await use(token)).toEqual([403, 'password_link.refused']);
  });

  it('should be refused when the account was linked to the identity provider in the meantime', async () => {
    await catalog.query('UPDATE users SET password_hash = NULL WHERE id = 7');
    const token = await create();
    await catalog.query(`UPDATE users SET subject = 'kc-grace' WHERE id = 7`);
    expect(await use(token)).toEqual([403, 'password_link.refused']);
  });

  it('should be refused with the same answer for every invalid token', async () => {
    for (const token of ['', 'x', 'A'.repeat(43)]) {
      expect((await use(token))[1]).toBe('password_link.refused');
    }
    expect((await use('x'.repeat(300)))[0]).toBe(400);
  });

  it('should stay usable when the new password is not accepted', async () => {
    const token = await create();
    expect(await use(token, 'password1234')).toEqual([400, 'input.invalid']);
    expect(await use(token, 'grace.hopper@example.org')).toEqual([204, undefined]);
  });

  it('should not add a password to an account of the identity provider without add_password', async () => {
    await catalog.query(`UPDATE users SET subject = 'kc-grace', password_hash = NULL WHERE id = 7`);
    expect(await catalog.fieldsRefused('POST', path)).toEqual(['add_password']);
    expect(await use(await create({ add_password: true }))).toEqual([204, undefined]);
    expect(await signIn(wanted)).toBe(200);
  });

  it.each([
    ['deactivated', 'active = false'],
    ['technical', 'technical = true'],
    ['without an e-mail address', 'email = NULL'],
  ])('should not be created for an account that is %s', async (_, change) => {
    await catalog.query(`UPDATE users SET ${change} WHERE id = 7`);
    expect((await catalog.send('POST', path)).status).toBe(400);
  });

  it('should release an account that wrong passwords have locked', async () => {
    await catalog.query(
      `INSERT INTO failure_counts (sort, subject, count, ends_at) VALUES ('account', 'user:7', 20, now() + interval '9 minutes')`,
    );
    expect(await signIn(password)).toBe(429);
    expect(await use(await create())).toEqual([204, undefined]);
    expect(await signIn(wanted)).toBe(200);
  });

  it('should not change the second factor', async () => {
    await catalog.query(`INSERT INTO second_factors (user_id, sealed_secret, confirmed_at) VALUES (7, 'x', now())`);
    expect(await use(await create())).toEqual([204, undefined]);
    const answer = await new Browser(catalog.url).signIn(grace.login, wanted);
    expect(((await answer.json()) as Refusal).more.code).toBe('login.second_factor');
  });

  it('should be refused to a page of another site', async () => {
    const token = await create();
    const headers = { Origin: 'https://evil.example' };
    const json = { token, password: wanted };
    const response = await new Browser(catalog.url).fetch('/api/session/password-link', {
      method: 'POST',
      json,
      headers,
    });
    expect([response.status, ((await response.json()) as Refusal).more.code]).toEqual([403, 'csrf.refused']);
    expect(await use(token)).toEqual([204, undefined]);
  });
});
