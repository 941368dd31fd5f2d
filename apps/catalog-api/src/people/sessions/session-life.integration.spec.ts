import {
  grace,
  password,
  startPeopleCatalog,
  statusOf,
  type Entry,
  type PeopleCatalog,
} from '../../../test/people-catalog.js';
import { hashQuickly } from '../../../test/people.js';
import { until } from '../../../../../test/support/until.ts';
import { Browser } from '../../../test/support/browser.js';
import { untilBlocked } from '../../../test/until-blocked.js';

describe('the life of a session', () => {
  let catalog: PeopleCatalog;
  let browser: Browser;
  const userId = grace.id;

  beforeAll(async () => {
    catalog = await startPeopleCatalog({ SESSION_IDLE_MINUTES: '30' });
  });
  beforeEach(async () => {
    await catalog.reset();
    browser = await catalog.signedIn();
  });
  afterAll(() => catalog.stop());
  describe('permanent end', () => {
    it.each([
      ['the account is deactivated by an administrator', { active: false }, { active: true }],
      ['the account becomes technical', { technical: true }, { technical: false }],
    ])('should end sessions permanently when %s', async (_, change, back) => {
      const path = `/api/admin/users/${String(userId)}`;
      expect((await catalog.send('PATCH', path, change)).status).toBe(200);
      expect(await statusOf(browser)).toBe(403);
      expect((await catalog.send('PATCH', path, back)).status).toBe(200);
      expect(await statusOf(browser)).toBe(403);
      expect(await catalog.query('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).toEqual([]);
      expect(await catalog.lastEntries(1)).toMatchObject([
        { actor: 'global', action: 'end-sessions', record_id: String(userId), after: { ended: 1 } },
      ]);
    });

    it('should end sessions permanently when any statement deactivates the account', async () => {
      await catalog.query('UPDATE users SET active = false, deactivated_by_sync = true WHERE id = $1', [userId]);
      await catalog.query('UPDATE users SET active = true WHERE id = $1', [userId]);
      expect(await statusOf(browser)).toBe(403);
      expect(await catalog.lastEntries(1)).toMatchObject([
        { actor: 'database', action: 'end-sessions', after: { ended: 1, reason: 'deactivated' } },
      ]);
    });

    it('should end sessions when any statement changes the password', async () => {
      await catalog.query('UPDATE users SET password_hash = $2 WHERE id = $1', [
        userId,
        await hashQuickly('another one, long'),
      ]);
      expect(await statusOf(browser)).toBe(403);
      await catalog.query('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, catalog.passwordHash]);
      expect(await statusOf(browser)).toBe(403);
    });

    it('should keep sessions when anything else about the account changes', async () => {
      await catalog.send('PATCH', `/api/admin/users/${String(userId)}`, { last_name: 'Murray Hopper' });
      expect(await statusOf(browser)).toBe(200);
    });

    it('should create no session that outlives a concurrent deactivation', async () => {
      const runner = catalog.dataSource.createQueryRunner();
      await runner.startTransaction();
      await runner.query('UPDATE users SET active = false WHERE id = $1', [userId]);
      const late = new Browser(catalog.url).signIn(grace.login, password);
      await untilBlocked(catalog);
      await runner.commitTransaction();
      await runner.release();
      expect((await late).status).toBe(403);
      await catalog.query('UPDATE users SET active = true WHERE id = $1', [userId]);
      expect(await catalog.query('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).toEqual([]);
    });

    it('should create no session with a password that is replaced at the same time', async () => {
      const runner = catalog.dataSource.createQueryRunner();
      await runner.startTransaction();
      await runner.query(`UPDATE users SET password_hash = 'replaced' WHERE id = $1`, [userId]);
      const late = new Browser(catalog.url).signIn(grace.login, password);
      await untilBlocked(catalog);
      await runner.commitTransaction();
      await runner.release();
      expect((await late).status).toBe(403);
      await catalog.query('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, catalog.passwordHash]);
    });
  });

  describe('idle sessions', () => {
    it('should end a session after SESSION_IDLE_MINUTES without use, and not earlier', async () => {
      await catalog.query(`UPDATE sessions SET last_used_at = now() - interval '29 minutes' WHERE user_id = $1`, [
        userId,
      ]);
      expect(await statusOf(browser)).toBe(200);
      await catalog.query(`UPDATE sessions SET last_used_at = now() - interval '31 minutes' WHERE user_id = $1`, [
        userId,
      ]);
      expect(await statusOf(browser)).toBe(403);
      await catalog.signedIn();
      expect(await catalog.query('SELECT 1 FROM sessions WHERE user_id = $1', [userId])).toHaveLength(1);
    });

    it('should record the last use at most once a minute, and no use when only the token is renewed', async () => {
      const lastUse = async (): Promise<string> => {
        const [row] = await catalog.query<{ at: Date }>('SELECT last_used_at AS at FROM sessions WHERE user_id = $1', [
          userId,
        ]);
        return row?.at.toISOString() ?? '';
      };
      const first = await lastUse();
      await browser.fetch('/api/users');
      expect(await lastUse()).toBe(first);
      await catalog.query(`UPDATE sessions SET last_used_at = now() - interval '5 minutes' WHERE user_id = $1`, [
        userId,
      ]);
      const before = await lastUse();
      await browser.fetch('/api/session');
      expect(await lastUse()).toBe(before);
      await browser.fetch('/api/users');
      await until(async () => (await lastUse()) !== before);
      expect(Date.parse(await lastUse())).toBeGreaterThan(Date.parse(before));
    });
  });

  describe('the audit trail', () => {
    it('should record a sign-in and a sign-out with the address and without secrets', async () => {
      await browser.fetch('/api/session', { method: 'DELETE' });
      const [out, signIn] = await catalog.lastEntries(2);
      const actor = `user:${String(userId)}`;
      expect(out).toMatchObject({ actor, action: 'sign-out', record_id: String(userId), address: '127.0.0.1' });
      expect(signIn).toMatchObject({ actor, action: 'sign-in', after: { method: 'password', second_factor: null } });
      expect(signIn?.address).toBe('127.0.0.1');
    });

    it('should record a wrong password with the account, and an unknown login only as a keyed hash', async () => {
      const guessing = new Browser(catalog.url);
      await guessing.signIn(grace.login, 'wrong guess of a password');
      expect(await catalog.lastEntries(1)).toMatchObject([
        { actor: 'anonymous', action: 'refuse-sign-in', record_id: String(userId), after: { reason: 'password' } },
      ]);
      await guessing.signIn('My secret typed as login', 'x');
      const [unknown] = await catalog.lastEntries(1);
      expect(unknown).toMatchObject({ action: 'refuse-sign-in', after: { reason: 'account' }, address: '127.0.0.1' });
      expect(unknown?.record_id).toMatch(/^unknown:[0-9a-f]{32}$/);
      const [trail] = await catalog.query<{ text: string }>(
        `SELECT string_agg(entry::text, ' ') AS text FROM audit_entries AS entry`,
      );
      expect(trail?.text).not.toMatch(/wrong guess|secret typed|scrypt/i);
    });

    it('should filter entries by action, actor and resource', async () => {
      for (const search of [
        'action=sign-in',
        `actor=user:${String(userId)}`,
        `resource=sessions&record_id=${String(userId)}`,
      ]) {
        const { body } = await catalog.send('GET', `/api/admin/audit?${search}`);
        expect(body.items.map(({ action }) => action)).toContain('sign-in');
        expect(body.items[0]).toHaveProperty('address');
      }
    });

    it('should record a new key with the address of the caller', async () => {
      await catalog.send('POST', `/api/admin/users/${String(userId)}/key`);
      const [entry] = await catalog.query<Entry>(
        `SELECT address FROM audit_entries WHERE action = 'issue-key' ORDER BY id DESC LIMIT 1`,
      );
      expect(entry?.address).toBe('127.0.0.1');
    });
  });
});
