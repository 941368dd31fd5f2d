import { globalKey } from '../../../test/catalog.js';
import { startSyncedCatalog, type SyncedCatalog } from '../../../test/synced-catalog.js';

describe('POST /api/idp/force and deactivation', () => {
  let scim: SyncedCatalog['scim'];
  let catalog: SyncedCatalog;

  beforeAll(async () => {
    catalog = await startSyncedCatalog();
    ({ scim } = catalog);
  });

  beforeEach(() => catalog.reset());

  afterAll(() => catalog.stop());

  const everybody = (): Promise<unknown[]> =>
    catalog.dataSource.query('SELECT subject, email, active, confirmed_at FROM users ORDER BY id');

  it('should not deactivate a person whom the identity provider has never listed', async () => {
    await catalog.dataSource.query(`INSERT INTO users (subject, email) VALUES ('migrated', 'migrated@example.org')`);
    for (const query of ['', '?confirm=true'])
      expect((await catalog.force(query))[1]).toMatchObject({ deactivated: 0 });
    scim.accounts.set('migrated', { id: 'migrated', email: 'migrated@example.org' });
    expect((await catalog.force())[1]).toMatchObject({ unchanged: 1, deactivated: 0 });
    scim.accounts.clear();
    expect((await catalog.force())[1]).toMatchObject({ deactivated: 1 });
    expect(await everybody()).toMatchObject([{ subject: 'migrated', active: false }]);
  });

  it('should not deactivate a person whose subject an administrator has changed', async () => {
    scim.accounts.set('ada', { id: 'ada', email: 'ada@example.org', familyName: 'Byron' });
    await catalog.force();
    const [{ id }] = await catalog.dataSource.query<[{ id: number }]>('SELECT id FROM users');
    const body = JSON.stringify({ subject: 'ada-of-the-next-realm' });
    const headers = { 'Content-Type': 'application/json' };
    const path = `/api/admin/users/${String(id)}`;
    expect((await catalog.fetch(path, { method: 'PATCH', key: globalKey, body, headers })).status).toBe(200);
    scim.accounts.clear();
    expect((await catalog.force())[1]).toMatchObject({ deactivated: 0 });
  });

  it('should list the people who would be deactivated and change nothing when dry_run=true', async () => {
    catalog.addAccounts(40);
    await catalog.force();
    scim.accounts.clear();
    catalog.addAccounts(20);
    scim.accounts.set('many-000000', { id: 'many-000000', email: 'many-000000@example.org', active: false });
    const before = await everybody();
    const [status, report] = await catalog.force('?dry_run=true');
    expect([status, report]).toMatchObject([200, { dry_run: true, deactivated: 21 }]);
    expect(report.deactivations?.map(({ subject, reason }) => `${subject} ${reason}`)).toEqual([
      'many-000000 disabled',
      ...Array.from({ length: 20 }, (_, at) => `many-0000${String(20 + at)} gone`),
    ]);
    expect(await everybody()).toEqual(before);
    const [{ runs }] = await catalog.dataSource.query<[{ runs: unknown }]>(
      'SELECT array_agg(report) AS runs FROM account_syncs',
    );
    expect(runs).toMatchObject([{ created: 40 }]);
  });

  it('should refuse a dry_run that is neither true nor false', async () => {
    expect((await catalog.force('?dry_run=yes'))[0]).toBe(400);
  });
});
