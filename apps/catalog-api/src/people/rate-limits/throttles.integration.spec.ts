import { grace, password, startPeopleCatalog, type PeopleCatalog } from '../../../test/people-catalog.js';
import { Browser } from '../../../test/support/browser.js';

interface Throttle {
  id: string;
  kind: string;
  network: string | null;
  user_id: number | null;
  email: string | null;
  failures: number;
}

describe('/api/admin/throttles', () => {
  let catalog: PeopleCatalog;
  const path = '/api/admin/throttles';

  beforeAll(async () => {
    catalog = await startPeopleCatalog({
      ...{ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_WRONG_KEYS: '2', RATE_LIMIT_FAILED_LOGINS: '3' },
    });
  });
  beforeEach(() => catalog.reset());
  afterAll(() => catalog.stop());

  const list = async (): Promise<Throttle[]> => (await catalog.send('GET', path)).body.results;
  const signIn = async (secret: string, address: string, login: string = grace.login): Promise<number> =>
    (
      await new Browser(catalog.url).fetch('/api/session', {
        method: 'POST',
        json: { login, password: secret },
        headers: { 'X-Forwarded-For': address },
      })
    ).status;
  const guess = async (times: number, addressOf: (turn: number) => string, login?: string): Promise<void> => {
    for (let turn = 0; turn < times; turn++) await signIn('wrong', addressOf(turn), login);
  };

  it.each([
    ['GET', path],
    ['DELETE', `${path}/eA`],
  ])('should refuse %s %s for every caller except administrators', async (method, address) => {
    expect(await catalog.refusals(method, address)).toEqual(catalog.allRefused);
  });

  it('should list a throttled account with its person, and release it immediately', async () => {
    await guess(20, (turn) => `198.51.100.${String(turn)}`);
    expect(await signIn(password, '203.0.113.9')).toBe(429);
    const [account] = await list();
    expect(account).toMatchObject({ kind: 'account', user_id: 7, email: grace.login, network: null, failures: 20 });
    expect((await catalog.send('DELETE', `${path}/${account?.id ?? ''}`)).status).toBe(204);
    expect(await signIn(password, '203.0.113.9')).toBe(200);
    expect(await list()).toEqual([]);
    expect((await catalog.send('DELETE', `${path}/${account?.id ?? ''}`)).status).toBe(404);
    expect(await catalog.lastEntries(2, 'throttles')).toMatchObject([
      { actor: 'global', action: 'release', record_id: 'account:user:7', address: '127.0.0.1' },
      { actor: 'anonymous', action: 'throttle', record_id: 'account:user:7', after: { failures: 20 } },
    ]);
  });

  it('should list an unknown login without the typed text', async () => {
    await guess(2, (turn) => `198.51.100.${String(turn)}`, 'Maybe my password');
    await catalog.query(`UPDATE failure_counts SET count = 20 WHERE sort = 'account'`);
    const [account] = await list();
    expect(account).toMatchObject({ kind: 'account', user_id: null, email: null });
    expect(JSON.stringify(await catalog.query('SELECT * FROM failure_counts'))).not.toMatch(/maybe/i);
  });

  it('should list and release a throttled network', async () => {
    await guess(3, () => '2001:db8:5:6::1');
    expect(await signIn(password, '2001:db8:5:6::2')).toBe(429);
    const network = (await list()).find(({ kind }) => kind === 'login');
    expect(network).toMatchObject({ user_id: null, failures: 3 });
    expect(network?.network).toMatch(/^2001:db8:5:6::/);
    expect((await catalog.send('DELETE', `${path}/${network?.id ?? ''}`)).status).toBe(204);
    expect(await signIn(password, '2001:db8:5:6::2')).toBe(200);
  });

  it.each(['eA', 'YTpi', 'bG9naW46AA', '%00', 'a'.repeat(900)])('should answer 404 for a release of %s', async (id) => {
    expect((await catalog.send('DELETE', `${path}/${id}`)).status).toBe(404);
  });

  it('should write one audit entry for a flood from one network, and a limited number for many networks', async () => {
    const entries = async (action: string): Promise<number> =>
      (await catalog.query('SELECT 1 FROM audit_entries WHERE action = $1', [action])).length;
    const before = await entries('throttle');
    const ask = (address: string): Promise<Response> =>
      catalog.fetch('/api/projects', { key: 'wrong', headers: { 'X-Forwarded-For': address } });
    for (let turn = 0; turn < 12; turn++) await ask('192.0.2.77');
    expect(await entries('throttle')).toBe(before + 1);
    await catalog.query(`UPDATE failure_counts SET count = 100 WHERE sort = 'audit'`);
    for (let turn = 0; turn < 6; turn++) await ask('192.0.2.78');
    expect(await entries('throttle')).toBe(before + 1);
    await catalog.query(`INSERT INTO failure_counts (sort, subject, count, ends_at)
      VALUES ('audit', 'refuse-sign-in account', 100, now() + interval '9 minutes')`);
    const refused = await entries('refuse-sign-in');
    await guess(3, (turn) => `198.51.101.${String(turn)}`, 'nobody@example.org');
    expect(await entries('refuse-sign-in')).toBe(refused);
  });
});
