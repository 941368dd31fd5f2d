import { administered, type Administered } from '../../../test/administered.js';
import { startFaultyScimServer, type FaultyScimServer } from '../../../test/scim-server.js';

describe('GET /api/admin/identity-sync', () => {
  const path = '/api/admin/identity-sync';
  let scim: FaultyScimServer;
  let catalog: Administered;

  beforeAll(async () => {
    scim = await startFaultyScimServer();
    catalog = await administered([], { ...scim.settings, IDP_SYNC_CRON: '0 3 1 1 *' });
  });

  afterAll(async () => {
    await catalog.stop();
    await scim.stop();
  });

  it('should refuse every caller except administrators', async () => {
    expect(await catalog.refusals('GET', path)).toEqual(catalog.allRefused);
  });

  it('should return the latest successful run', async () => {
    const asked = { provider: 'scim', schedule: '0 3 1 1 *' };
    expect((await catalog.send('GET', path)).body).toEqual({ ...asked, latest: null });
    scim.accounts.set('two', { id: 'two', email: 'auditor@example.org' });
    const { body } = await catalog.send('POST', '/api/idp/force');
    const { status, ...report } = body;
    expect(status).toBe('Success');
    const latest = { ...report, finished_at: expect.stringMatching(/Z$/) as string };
    expect(latest).toMatchObject({ fetched: 1, conflicts: [{ subject: 'two' }] });
    expect((await catalog.send('GET', path)).body).toEqual({ ...asked, latest });
    scim.fail(500);
    expect((await catalog.send('POST', '/api/idp/force')).status).toBe(503);
    expect((await catalog.send('GET', path)).body).toEqual({ ...asked, latest });
  });
});
