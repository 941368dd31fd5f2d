import { grace, password, startPeopleCatalog, statusOf, type PeopleCatalog } from '../../../test/people-catalog.js';
import { Browser } from '../../../test/support/browser.js';

interface Answer {
  csrf: string;
  more: { code: string; fields?: { field: string; problem: string }[] };
}

describe('PUT /api/session/password', () => {
  let catalog: PeopleCatalog;
  let browser: Browser;
  const wanted = 'seven quiet otters paddle';

  beforeAll(async () => {
    catalog = await startPeopleCatalog();
  });
  beforeEach(async () => {
    await catalog.reset();
    browser = await catalog.signedIn();
  });
  afterAll(() => catalog.stop());

  const change = async (json: object, by = browser): Promise<[number, Answer]> => {
    const response = await by.fetch('/api/session/password', { method: 'PUT', json });
    return [response.status, (await response.json()) as Answer];
  };
  const signsIn = async (secret: string): Promise<boolean> =>
    (await new Browser(catalog.url).signIn(grace.login, secret)).ok;

  it('should change the password, end all sessions and send the browser a new session', async () => {
    const other = await catalog.signedIn();
    const copy = new Browser(catalog.url);
    copy.cookies.set('catalog_session', browser.cookies.get('catalog_session') ?? '');
    const [status, { csrf }] = await change({ current_password: password, new_password: wanted });
    expect(status).toBe(200);
    expect([await statusOf(browser), await statusOf(other), await statusOf(copy)]).toEqual([200, 403, 403]);
    browser.csrf = csrf;
    expect((await browser.fetch('/api/sessions?others=true', { method: 'DELETE' })).status).toBe(204);
    expect([await signsIn(password), await signsIn(wanted)]).toEqual([false, true]);
    const [entry] = await catalog.lastEntries(1, 'users');
    expect(entry).toMatchObject({ actor: 'user:7', action: 'change-password', record_id: '7', address: '127.0.0.1' });
    const ends = await catalog.query(`SELECT actor, after FROM audit_entries WHERE action = 'end-sessions'`);
    expect(ends).toContainEqual({ actor: 'user:7', after: { ended: 2, reason: 'password' } });
  });

  it.each([
    ['is too short', 'short otters'.slice(0, 11), 'must have 12 characters or more'],
    ['is common', 'password1234', 'is too easy to guess'],
    ['is a keyboard walk', 'qwertyuiop[]', 'is too easy to guess'],
    ['repeats one character', 'aaaaaaaaaaaaaaaa', 'is too easy to guess'],
    ['is the e-mail address', 'Grace@Example.org', 'must not consist of your name or e-mail address'],
    ['is made of the name', 'GraceHopper1906', 'must not consist of your name or e-mail address'],
    ['is the present one', password, 'must differ from the current password'],
  ])('should refuse a new password that %s', async (_, new_password, problem) => {
    const [status, { more }] = await change({ current_password: password, new_password });
    expect([status, more.fields]).toEqual([
      400,
      [{ field: 'new_password', problem: expect.stringContaining(problem) as string }],
    ]);
    expect(await statusOf(browser)).toBe(200);
  });

  it('should refuse a wrong current password, and count the failure for the account', async () => {
    const [status, { more }] = await change({ current_password: 'wrong', new_password: wanted });
    expect([status, more.code]).toEqual([403, 'login.refused']);
    const counts = await catalog.query(
      `SELECT count FROM failure_counts WHERE sort = 'account' AND subject = 'user:7'`,
    );
    expect(counts).toEqual([{ count: 1 }]);
    expect((await catalog.lastEntries(1))[0]).toMatchObject({ action: 'refuse-sign-in', record_id: '7' });
  });

  it('should change the password once when two requests arrive at the same time', async () => {
    const other = await catalog.signedIn();
    const answers = await Promise.all([
      change({ current_password: password, new_password: wanted }),
      change({ current_password: password, new_password: 'nine loud herons wade' }, other),
    ]);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 403]);
    expect(await catalog.query('SELECT 1 FROM sessions WHERE user_id = 7')).toHaveLength(1);
  });

  it('should refuse accounts without a local password, keys and anonymous callers', async () => {
    await catalog.query(`UPDATE users SET subject = 'kc-grace' WHERE id = 7`);
    await catalog.query('ALTER TABLE users DISABLE TRIGGER users_end_sessions');
    await catalog.query('UPDATE users SET password_hash = NULL WHERE id = 7');
    await catalog.query('ALTER TABLE users ENABLE TRIGGER users_end_sessions');
    const [status, { more }] = await change({ current_password: '', new_password: wanted });
    expect([status, more.code]).toEqual([403, 'access.denied']);
    for (const key of [null, undefined]) {
      expect((await catalog.send('PUT', '/api/session/password', {}, key)).status).toBe(403);
    }
  });
});
