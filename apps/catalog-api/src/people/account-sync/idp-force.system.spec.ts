import { globalKey, startCatalog } from '../../../test/catalog.js';
import { startSyncedCatalog, type SyncedCatalog } from '../../../test/synced-catalog.js';
import { advisoryLocks } from '../../platform/database/advisory-locks.js';
import { startServer } from '../../app/server.js';

describe('POST /api/idp/force', () => {
  let scim: SyncedCatalog['scim'];
  let catalog: SyncedCatalog;

  beforeAll(async () => {
    catalog = await startSyncedCatalog();
    ({ scim } = catalog);
  });

  beforeEach(() => catalog.reset());

  afterAll(() => catalog.stop());

  const everybody = (): Promise<unknown[]> =>
    catalog.dataSource.query('SELECT subject, email, first_name, last_name, active FROM users ORDER BY id');

  it('should create users from accounts, and change nothing in a second run', async () => {
    scim.accounts.set('ada', { id: 'ada', email: 'Ada@example.org', givenName: 'Ada', familyName: 'Byron' });
    scim.accounts.set('robot', { id: 'robot' });
    scim.accounts.set('off', { id: 'off', email: 'off@example.org', active: false });
    expect(await catalog.force()).toEqual([
      200,
      {
        status: 'Success',
        provider: 'scim',
        fetched: 3,
        created: 1,
        updated: 0,
        unchanged: 0,
        deactivated: 0,
        skipped: 2,
        conflicts: [],
        duration_ms: expect.any(Number) as number,
      },
    ]);
    expect(await everybody()).toEqual([
      { subject: 'ada', email: 'Ada@example.org', first_name: 'Ada', last_name: 'Byron', active: true },
    ]);
    expect((await catalog.force())[1]).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 1,
      deactivated: 0,
      skipped: 2,
    });
  });

  it('should import any number of pages of accounts', async () => {
    catalog.addAccounts(1200);
    expect((await catalog.force())[1]).toMatchObject({ fetched: 1200, created: 1200, conflicts: [] });
    expect(scim.requests.length).toBeGreaterThan(2);
  });

  it('should match people by subject, then by address without case, and keep names that the account lacks', async () => {
    await catalog.dataSource.query(
      `INSERT INTO users (subject, email, first_name, last_name, password_hash) VALUES
         ('ada', 'old@example.org', 'Ada', 'Byron', NULL), (NULL, 'BOB@example.org', 'Bob', 'Builder', NULL),
         (NULL, 'local@example.org', 'Local', 'Login', 'hash')`,
    );
    scim.accounts.set('ada', { id: 'ada', email: 'ada@example.org', givenName: 'Augusta' });
    scim.accounts.set('bob', { id: 'bob', email: 'bob@Example.org' });
    scim.accounts.set('local', { id: 'local', email: 'local@example.org' });
    expect((await catalog.force())[1]).toMatchObject({
      created: 0,
      updated: 2,
      conflicts: [{ subject: 'local', reason: 'another user has the e-mail address local@example.org' }],
    });
    expect(await everybody()).toMatchObject([
      { subject: 'ada', email: 'ada@example.org', first_name: 'Augusta', last_name: 'Byron' },
      { subject: 'bob', email: 'bob@Example.org', first_name: 'Bob', last_name: 'Builder' },
      { subject: null, email: 'local@example.org' },
    ]);
  });

  it('should report malformed accounts and import the other accounts', async () => {
    const long = 'x'.repeat(300);
    scim.accounts.set('one', { id: 'one', email: 'same@example.org' });
    scim.accounts.set('two', { id: 'two', email: 'SAME@example.org' });
    scim.accounts.set(long, { id: long, email: 'long@example.org' });
    scim.accounts.set('mail', { id: 'mail', email: `${long}@example.org` });
    scim.accounts.set('name', { id: 'name', email: 'name@example.org', givenName: long });
    scim.accounts.set('fine', { id: 'fine', email: 'fine@example.org' });
    scim.accounts.set('first', { id: 'first', email: 'first@example.org', givenName: 'No last name' });
    const longest = 'y'.repeat(255);
    scim.accounts.set(longest, { id: longest, email: 'longest@example.org', familyName: 'Longest' });
    const [status, report] = await catalog.force();
    expect(status).toBe(200);
    expect(report).toMatchObject({ fetched: 8, created: 5 });
    expect(report.conflicts.map(({ subject }) => subject).sort()).toEqual(['mail', 'two', long].sort());
  });

  it('should move addresses between people, and report a second account with the same address', async () => {
    await catalog.dataSource.query(
      `INSERT INTO users (subject, email, confirmed_at) VALUES
         ('a', 'a@example.org', now()), ('b', 'b@example.org', now()), ('old', 'c@example.org', now())`,
    );
    scim.accounts.set('a', { id: 'a', email: 'b@example.org' });
    scim.accounts.set('b', { id: 'b', email: 'a@example.org' });
    scim.accounts.set('new', { id: 'new', email: 'c@example.org' });
    expect((await catalog.force())[1]).toMatchObject({
      updated: 2,
      deactivated: 1,
      conflicts: [{ subject: 'new', reason: 'another user has the e-mail address c@example.org' }],
    });
    expect(await everybody()).toMatchObject([
      { subject: 'a', email: 'b@example.org' },
      { subject: 'b', email: 'a@example.org' },
      { subject: 'old', active: false },
    ]);
  });

  it('should deactivate and reactivate users with their accounts, but not users whom an administrator deactivated', async () => {
    await catalog.dataSource.query(
      `INSERT INTO users (subject, email, active, confirmed_at) VALUES ('off', 'off@example.org', true, now()),
         ('gone', 'gone@example.org', true, now()), ('fired', 'fired@example.org', false, now())`,
    );
    scim.accounts.set('off', { id: 'off', email: 'off@example.org', active: false });
    scim.accounts.set('fired', { id: 'fired', email: 'fired@example.org' });
    expect((await catalog.force())[1]).toMatchObject({ deactivated: 2, unchanged: 1 });
    expect(scim.requests).toContain('/scim/v2/Users/gone');
    expect(await everybody()).toMatchObject([{ active: false }, { active: false }, { active: false }]);
    scim.accounts.set('off', { id: 'off', email: 'off@example.org' });
    scim.accounts.set('gone', { id: 'gone', email: 'gone@example.org' });
    expect((await catalog.force())[1]).toMatchObject({ updated: 2, unchanged: 1 });
    expect(await everybody()).toMatchObject([{ active: true }, { active: true }, { active: false }]);
  });

  it('should not reactivate a user whom an administrator deactivated after an earlier reactivation', async () => {
    scim.accounts.set('ada', { id: 'ada', email: 'ada@example.org', active: false });
    await catalog.dataSource.query(
      `INSERT INTO users (id, subject, email, last_name) VALUES (1, 'ada', 'ada@example.org', 'B')`,
    );
    expect((await catalog.force())[1]).toMatchObject({ deactivated: 1 });
    scim.accounts.set('ada', { id: 'ada', email: 'ada@example.org' });
    for (const active of [true, false]) {
      const body = JSON.stringify({ active });
      const answer = await catalog.fetch('/api/admin/users/1', { method: 'PATCH', key: globalKey, body });
      expect(answer.status).toBe(200);
    }
    await catalog.force();
    expect(await everybody()).toMatchObject([{ subject: 'ada', active: false }]);
  });

  it('should refuse to deactivate many users without confirm=true', async () => {
    catalog.addAccounts(40);
    await catalog.force();
    scim.accounts.clear();
    catalog.addAccounts(20);
    const [, report] = await catalog.force();
    expect(report).toMatchObject({ deactivated: 0, unchanged: 20 });
    expect(report.conflicts).toEqual([
      {
        subject: null,
        reason: '20 of 40 people would be deactivated: repeat the request with ?confirm=true to allow this',
      },
    ]);
    expect((await catalog.force('?confirm=true'))[1]).toMatchObject({ deactivated: 20, conflicts: [] });
  });

  it('should activate accesses that waited for a person', async () => {
    await catalog.dataSource.query(
      `INSERT INTO datasets (external_id, name, uuid) VALUES ('RDC_1', 'One', gen_random_uuid())`,
    );
    await catalog.dataSource.query(
      `INSERT INTO accesses (dataset_id, application, subject) SELECT id, 1, 'ada' FROM datasets`,
    );
    scim.accounts.set('ada', { id: 'ada', email: 'ada@example.org' });
    await catalog.force();
    expect(await catalog.dataSource.query('SELECT status FROM accesses')).toEqual([{ status: 'active' }]);
  });

  it.each(['first page', 'second page'] as const)(
    'should change nothing and answer 503 when the %s fails',
    async (from) => {
      catalog.addAccounts(700);
      scim.fail(500, from);
      expect(await catalog.force()).toMatchObject([503, { more: { code: 'dependency.down' } }]);
      expect(await everybody()).toEqual([]);
      scim.fail(null);
      expect((await catalog.force())[1]).toMatchObject({ created: 700 });
    },
  );

  it('should run one synchronisation for concurrent callers on all replicas', async () => {
    catalog.addAccounts(400);
    const replica = await startServer(catalog.environment);
    const { port } = replica.getHttpServer().address() as { port: number };
    const elsewhere = fetch(`http://127.0.0.1:${String(port)}/api/idp/force`, {
      method: 'POST',
      headers: { 'X-API-Key': globalKey },
    });
    const [one, two, three] = await Promise.all([catalog.force(), catalog.force(), elsewhere]);
    expect(two).toEqual(one);
    expect(await three.json()).toEqual(one[1]);
    expect(scim.requests.filter((url) => url.includes('startIndex=1&'))).toHaveLength(1);
    await replica.close();
  });

  it('should not block writes of records during a run on any replica', async () => {
    const replica = catalog.dataSource.createQueryRunner();
    await replica.query('SELECT pg_advisory_lock($1)', [advisoryLocks.synchroniseAccounts]);
    try {
      const response = await catalog.fetch('/api/partners', {
        method: 'POST',
        key: globalKey,
        body: JSON.stringify({ name: 'Written meanwhile' }),
        signal: AbortSignal.timeout(3_000),
      });
      expect(response.status).toBe(201);
    } finally {
      await replica.query('SELECT pg_advisory_unlock_all()');
      await replica.release();
    }
  });

  it.each([
    ['no key', undefined, 'key.required'],
    ['an unknown key', 'unknown', 'key.unknown'],
  ])('should refuse %s', async (_, key, code) => {
    const response = await catalog.fetch('/api/idp/force', { method: 'POST', key });
    expect([response.status, await response.json()]).toMatchObject([403, { more: { code } }]);
    expect(scim.requests).toEqual([]);
  });

  it('should refuse other methods before it checks the key, and refuse a malformed parameter', async () => {
    const get = await catalog.fetch('/api/idp/force');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await catalog.force('?confirm=maybe'))[0]).toBe(400);
  });

  it('should ignore the body', async () => {
    const response = await catalog.fetch('/api/idp/force', { method: 'POST', key: globalKey, body: '<xml/>' });
    expect(response.status).toBe(200);
  });
});

describe('POST /api/idp/force without a provider', () => {
  it('should answer 400 naming the setting', async () => {
    const catalog = await startCatalog();
    const response = await catalog.fetch('/api/idp/force', { method: 'POST', key: globalKey });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ more: { code: 'idp.off', setting: 'IDP_PROVIDER' } });
    await catalog.stop();
  });
});
