import { globalKey, startCatalog, type RunningCatalog } from '../../../test/catalog.js';
import { startFaultyScimServer, type FaultyScimServer } from '../../../test/scim-server.js';

interface Report {
  readonly deactivated: number;
  readonly deactivations?: readonly { readonly subject: string; readonly reason: string }[];
}

describe('POST /api/idp/force and deactivation', () => {
  let scim: FaultyScimServer;
  let catalog: RunningCatalog;

  beforeAll(async () => {
    scim = await startFaultyScimServer();
    catalog = await startCatalog(scim.settings);
  });

  beforeEach(async () => {
    scim.accounts.clear();
    await catalog.dataSource.query('TRUNCATE users CASCADE');
  });

  afterAll(async () => {
    await catalog.stop();
    await scim.stop();
  });

  const force = async (query = ''): Promise<[number, Report]> => {
    const response = await catalog.fetch(`/api/idp/force${query}`, { method: 'POST', key: globalKey });
    return [response.status, (await response.json()) as Report];
  };

  const everybody = (): Promise<unknown[]> =>
    catalog.dataSource.query('SELECT subject, email, active, confirmed_at FROM users ORDER BY id');

  function addMany(count: number): void {
    for (let at = 0; at < count; at++) {
      const id = `many-${String(at).padStart(6, '0')}`;
      scim.accounts.set(id, { id, email: `${id}@example.org`, givenName: 'Some', familyName: `Body ${String(at)}` });
    }
  }

  it('should not deactivate a person whom the identity provider has never listed', async () => {
    await catalog.dataSource.query(`INSERT INTO users (subject, email) VALUES ('migrated', 'migrated@example.org')`);
    for (const query of ['', '?confirm=true']) expect((await force(query))[1]).toMatchObject({ deactivated: 0 });
    scim.accounts.set('migrated', { id: 'migrated', email: 'migrated@example.org' });
    expect((await force())[1]).toMatchObject({ unchanged: 1, deactivated: 0 });
    scim.accounts.clear();
    expect((await force())[1]).toMatchObject({ deactivated: 1 });
    expect(await everybody()).toMatchObject([{ subject: 'migrated', active: false }]);
  });

  it('should not deactivate a person whose subject an administrator has changed', async () => {
    scim.accounts.set('ada', { id: 'ada', email: 'ada@example.org', familyName: 'Byron' });
    await force();
    const [{ id }] = await catalog.dataSource.query<[{ id: number }]>('SELECT id FROM users');
    const body = JSON.stringify({ subject: 'ada-of-the-next-realm' });
    const headers = { 'Content-Type': 'application/json' };
    const path = `/api/admin/users/${String(id)}`;
    expect((await catalog.fetch(path, { method: 'PATCH', key: globalKey, body, headers })).status).toBe(200);
    scim.accounts.clear();
    expect((await force())[1]).toMatchObject({ deactivated: 0 });
  });

  it('should list the people who would be deactivated and change nothing when dry_run=true', async () => {
    addMany(40);
    await force();
    scim.accounts.clear();
    addMany(20);
    scim.accounts.set('many-000000', { id: 'many-000000', email: 'many-000000@example.org', active: false });
    const before = await everybody();
    const [status, report] = await force('?dry_run=true');
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
    expect((await force('?dry_run=yes'))[0]).toBe(400);
  });
});
