import {
  agent,
  grace,
  startPeopleCatalog,
  statusOf,
  type Listed,
  type PeopleCatalog,
} from '../../../test/people-catalog.js';
import type { Browser } from '../../../test/support/browser.js';

describe('SessionListsService', () => {
  let catalog: PeopleCatalog;
  let browser: Browser;
  const userId = grace.id;

  beforeAll(async () => {
    catalog = await startPeopleCatalog();
  });
  beforeEach(async () => {
    await catalog.reset();
    browser = await catalog.signedIn();
  });
  afterAll(() => catalog.stop());

  const listOf = async (asking: Browser, path = '/api/sessions'): Promise<Listed[]> =>
    ((await (await asking.fetch(path)).json()) as { results: Listed[] }).results;

  describe('/api/sessions', () => {
    it('should list the caller’s own sessions with start, origin and last use', async () => {
      await catalog.signedIn();
      const listed = await listOf(browser);
      expect(listed).toHaveLength(2);
      expect(listed.filter(({ current }) => current)).toHaveLength(1);
      expect(listed[0]).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        started_at: expect.any(String) as string,
        expires_at: expect.any(String) as string,
        last_used_at: expect.any(String) as string,
        address: '127.0.0.1',
        user_agent: agent,
        method: 'password',
        current: false,
      });
    });

    it('should not list a session that has ended', async () => {
      const other = await catalog.signedIn();
      await catalog.query(`UPDATE sessions SET last_used_at = now() - interval '1 hour' WHERE user_id = $1`, [userId]);
      expect(await statusOf(other)).toBe(403);
      browser = await catalog.signedIn();
      expect(await listOf(browser)).toHaveLength(1);
    });

    it('should shorten a long user agent and remove its control characters', async () => {
      await catalog.reset();
      browser = await catalog.signedIn({ 'User-Agent': `a\tb${'x'.repeat(900)}` });
      const [newest] = await listOf(browser);
      expect(newest?.user_agent).toMatch(/^a bx{197}$/);
    });

    it('should end another session of the caller and record the end in the audit trail', async () => {
      const other = await catalog.signedIn();
      const theirs = (await listOf(browser)).find(({ current }) => !current)?.id ?? '';
      expect((await browser.fetch(`/api/sessions/${theirs}`, { method: 'DELETE' })).status).toBe(204);
      expect(await statusOf(other)).toBe(403);
      expect(await catalog.lastEntries(1)).toMatchObject([
        {
          actor: `user:${String(userId)}`,
          action: 'end-session',
          record_id: String(userId),
          before: { session: theirs, method: 'password', address: '127.0.0.1' },
          address: '127.0.0.1',
        },
      ]);
    });

    it('should answer 404 when the session has already ended', async () => {
      await catalog.signedIn();
      const theirs = (await listOf(browser)).find(({ current }) => !current)?.id ?? '';
      const ends = [1, 2].map(() => browser.fetch(`/api/sessions/${theirs}`, { method: 'DELETE' }));
      expect((await Promise.all(ends)).map(({ status }) => status).sort()).toEqual([204, 404]);
    });

    it('should end the current session when the caller ends it by id', async () => {
      const own = (await listOf(browser))[0]?.id ?? '';
      expect((await browser.fetch(`/api/sessions/${own}`, { method: 'DELETE' })).status).toBe(204);
      expect(await statusOf(browser)).toBe(403);
    });

    it('should end all sessions except the current session when others is true', async () => {
      const others = [await catalog.signedIn(), await catalog.signedIn()];
      expect((await browser.fetch('/api/sessions?others=true', { method: 'DELETE' })).status).toBe(204);
      expect(await Promise.all(others.map(statusOf))).toEqual([403, 403]);
      expect(await statusOf(browser)).toBe(200);
      expect(await catalog.lastEntries(1)).toMatchObject([{ action: 'end-sessions', after: { ended: 2 } }]);
    });

    it('should end all sessions of the caller and remove the cookie', async () => {
      await catalog.signedIn();
      expect((await browser.fetch('/api/sessions', { method: 'DELETE' })).status).toBe(204);
      expect(browser.cookies.size).toBe(0);
      expect(await catalog.query('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).toEqual([]);
    });

    it('should answer 404 when the session belongs to another person or does not exist', async () => {
      const [root] = await catalog.query<{ id: string }>('SELECT id FROM sessions WHERE user_id <> $1 LIMIT 1', [
        userId,
      ]);
      for (const id of [root?.id ?? '', crypto.randomUUID(), 'no-id', '%00']) {
        expect((await browser.fetch(`/api/sessions/${id}`, { method: 'DELETE' })).status).toBe(404);
      }
    });

    it('should refuse to list sessions when the caller has no session', async () => {
      expect((await catalog.send('GET', '/api/sessions')).status).toBe(403);
      expect((await catalog.send('GET', '/api/sessions', undefined, null)).status).toBe(403);
    });
  });

  describe('/api/admin/users/{id}/sessions', () => {
    const path = `/api/admin/users/${String(userId)}/sessions`;

    it.each([
      ['GET', path],
      ['DELETE', path],
      ['DELETE', `${path}/1`],
    ])('should refuse %s %s for every caller except administrators', async (method, address) => {
      expect(await catalog.refusals(method, address)).toEqual(catalog.allRefused);
    });

    it('should end one session of a person when an administrator ends it by id', async () => {
      const thief = await catalog.signedIn();
      const listed = await listOf(catalog.administrator, path);
      expect(listed).toHaveLength(2);
      const stolen = listed[0]?.id ?? '';
      expect((await catalog.administrator.fetch(`${path}/${stolen}`, { method: 'DELETE' })).status).toBe(204);
      expect([await statusOf(thief), await statusOf(browser)]).toEqual([403, 200]);
      expect(await catalog.lastEntries(1)).toMatchObject([
        { actor: 'user:90000', action: 'end-session', record_id: String(userId), before: { session: stolen } },
      ]);
    });

    it('should end all sessions of a person, and accept a second request', async () => {
      expect((await catalog.send('DELETE', path)).status).toBe(204);
      expect(await statusOf(browser)).toBe(403);
      expect((await catalog.send('DELETE', path)).status).toBe(204);
    });

    it('should not end a session under the id of another person', async () => {
      const [own] = await listOf(browser);
      expect((await catalog.send('DELETE', `/api/admin/users/90000/sessions/${own?.id ?? ''}`)).status).toBe(404);
      expect((await catalog.send('GET', '/api/admin/users/999999/sessions')).status).toBe(404);
      expect(await statusOf(browser)).toBe(200);
    });
  });
});
