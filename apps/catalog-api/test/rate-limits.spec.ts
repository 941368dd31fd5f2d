import { startServer } from '../src/app/server.js';
import { Browser } from './support/browser.js';
import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';
import { hashQuickly } from './people.js';

const password = 'correct horse battery staple';
const admin = 'ada@example.org';
const limits = { RATE_LIMIT_WRONG_KEYS: '3', RATE_LIMIT_FAILED_LOGINS: '4', RATE_LIMIT_REFUSED_POSTS: '3' };
/** Settings with which a test can send requests from many addresses. */
const from = (address: string): Record<string, string> => ({ 'X-Forwarded-For': address });

describe('rate limits', () => {
  let catalog: RunningCatalog;
  const others: Awaited<ReturnType<typeof startServer>>[] = [];

  beforeEach(async () => {
    catalog = await startCatalog({
      ...limits,
      TRUSTED_PROXIES: '127.0.0.1',
      ADMIN_EMAIL: admin,
      ADMIN_PASSWORD: password,
    });
  });
  afterEach(async () => {
    await Promise.all(others.splice(0).map((other) => other.close()));
    await catalog.stop();
  });

  /** Starts another process with the same database. @returns the address of the process */
  const startAnother = async (settings: Record<string, string> = {}): Promise<string> => {
    const other = await startServer({ ...catalog.environment, ...settings });
    others.push(other);
    return (await other.getUrl()).replace('[::1]', '127.0.0.1');
  };

  const makeSignInQuick = async (): Promise<void> => {
    await catalog.dataSource.query('UPDATE users SET password_hash = $1', [await hashQuickly(password)]);
  };
  const askWith = async (key: string, address = '192.0.2.1', url = catalog.url): Promise<Response> => {
    const response = await fetch(`${url}/api/projects`, { headers: { ...from(address), 'X-API-Key': key } });
    await response.clone().arrayBuffer();
    return response;
  };
  const signIn = async (secret: string, address = '192.0.2.1', login = admin): Promise<number> => {
    const headers = from(address);
    const json = { login, password: secret };
    return (await new Browser(catalog.url).fetch('/api/session', { method: 'POST', json, headers })).status;
  };
  const times = async <T>(count: number, work: (turn: number) => Promise<T>): Promise<T[]> => {
    const results: T[] = [];
    for (let turn = 0; turn < count; turn++) results.push(await work(turn));
    return results;
  };

  describe('of wrong keys', () => {
    it('should answer 429 with Retry-After above the limit of one address, over all replicas', async () => {
      const secondUrl = await startAnother();
      const answers = await times(5, (turn) =>
        askWith(`wrong ${String(turn)}`, '192.0.2.1', turn % 2 ? secondUrl : catalog.url),
      );
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 429, 429]);
      const retryAfter = Number(answers[3]?.headers.get('retry-after'));
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(60);
      expect(await answers[4]?.json()).toMatchObject({ status: 'Error', more: { code: 'rate.limited' } });
    });

    it('should not limit valid keys, missing keys, other addresses or public routes', async () => {
      await times(6, () => askWith('wrong'));
      expect((await askWith('wrong')).status).toBe(429);
      expect((await askWith(globalKey)).status).toBe(200);
      expect((await askWith('')).status).toBe(403);
      expect((await askWith('wrong', '192.0.2.2')).status).toBe(403);
      const open = await fetch(`${catalog.url}/api/cohorts`, {
        headers: { ...from('192.0.2.1'), 'X-API-Key': 'wrong' },
      });
      expect(open.status).toBe(200);
    });

    it('should not count missing keys and valid keys', async () => {
      await times(10, () => askWith(''));
      await times(10, () => askWith(globalKey));
      expect(await catalog.dataSource.query('SELECT * FROM failure_counts')).toEqual([]);
    });

    it('should count the IPv6 addresses of one network together', async () => {
      const statuses = await times(4, async (turn) => (await askWith('wrong', `2001:db8:0:1::${String(turn)}`)).status);
      expect(statuses).toEqual([403, 403, 403, 429]);
      expect((await askWith('wrong', '2001:db8:0:2::1')).status).toBe(403);
    });

    it('should count every request of a burst', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => askWith('wrong')));
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(3);
    });

    it('should restart the count after a minute, and remove ended counts', async () => {
      await times(3, () => askWith('wrong', '192.0.2.7'));
      await catalog.dataSource.query('UPDATE failure_counts SET ends_at = now()');
      expect((await askWith('wrong', '192.0.2.7')).status).toBe(403);
      const [row] = await catalog.dataSource.query<{ count: number }[]>('SELECT count FROM failure_counts');
      expect(row?.count).toBe(1);
    });
  });

  describe('of failed logins', () => {
    it('should refuse the right password above the limit, and accept open sessions', async () => {
      const browser = new Browser(catalog.url);
      await browser.signIn(admin, password);
      expect(await times(5, () => signIn('wrong'))).toEqual([403, 403, 403, 403, 429]);
      expect(await signIn(password)).toBe(429);
      expect(await signIn(password, '192.0.2.2')).toBe(200);
      expect((await browser.fetch('/api/session')).status).toBe(200);
    });

    it('should limit parallel guesses like sequential guesses', async () => {
      const statuses = await Promise.all(Array.from({ length: 12 }, (_, turn) => signIn(`guess ${String(turn)}`)));
      const compared = statuses.filter((status) => status === 403).length;
      expect(compared).toBeGreaterThanOrEqual(4);
      expect(compared).toBeLessThanOrEqual(5);
    });

    it('should not count successful logins', async () => {
      await makeSignInQuick();
      expect(await times(8, () => signIn(password))).toEqual(Array.from({ length: 8 }, () => 200));
    });
  });

  describe('of guesses at one account (lock-out)', () => {
    it('should lock the account for guesses from all addresses, and release it when the window ends', async () => {
      await makeSignInQuick();
      const statuses = await times(21, (turn) => signIn('wrong', `198.51.100.${String(turn)}`, admin.toUpperCase()));
      expect(statuses.slice(0, 20).every((status) => status === 403)).toBe(true);
      expect(statuses[20]).toBe(429);
      expect(await signIn(password, '203.0.113.9')).toBe(429);
      await catalog.dataSource.query('TRUNCATE failure_counts');
      const fresh = new Browser(await startAnother());
      expect((await fresh.signIn(admin, password)).status).toBe(200);
    });

    it('should lock an unknown login in the same way', async () => {
      const guess = (turn: number): Promise<number> =>
        signIn('wrong', `198.51.100.${String(turn)}`, 'nobody@example.org');
      expect(await times(2, guess)).toEqual([403, 403]);
      // Inserts seventeen more failures, because a guess at an unknown login takes 0.1 s of a processor.
      await catalog.dataSource.query(`UPDATE failure_counts SET count = count + 17 WHERE sort = 'account'`);
      expect([await guess(2), await guess(3)]).toEqual([403, 429]);
    });

    it('should reset the count after the right password', async () => {
      await catalog.dataSource.query('INSERT INTO users (email, password_hash) VALUES ($1, $2)', [
        'typist@example.org',
        await hashQuickly(password),
      ]);
      await times(15, (turn) => signIn('typo', `198.51.100.${String(turn)}`, 'typist@example.org'));
      expect(await signIn(password, '203.0.113.9', 'typist@example.org')).toBe(200);
      const left = await catalog.dataSource.query<unknown[]>(`SELECT 1 FROM failure_counts WHERE sort = 'account'`);
      expect(left).toEqual([]);
    });
  });

  describe('of refused posts to the webhook', () => {
    it('should answer 429 above the limit of one address, and accept posts from allowed addresses', async () => {
      const webhook = { ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '192.0.2.9' };
      const url = `${await startAnother(webhook)}/api/accessreq`;
      const post = async (address: string): Promise<number> =>
        (await fetch(url, { method: 'POST', body: '[]', headers: from(address) })).status;
      expect(await times(5, () => post('192.0.2.1'))).toEqual([403, 403, 403, 429, 429]);
      expect(await times(10, () => post('192.0.2.9'))).toEqual(Array.from({ length: 10 }, () => 200));
    });
  });

  it('should not limit requests when the setting is 0', async () => {
    const url = await startAnother({ RATE_LIMIT_WRONG_KEYS: '0' });
    const statuses = await times(6, async () => (await askWith('wrong', '192.0.2.1', url)).status);
    expect(new Set(statuses)).toEqual(new Set([403]));
  });
});
