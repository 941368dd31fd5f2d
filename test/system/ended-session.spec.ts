import { globalKey as catalogKey, type RunningCatalog } from '../../apps/catalog-api/test/catalog.ts';
import type { Browser } from '../../apps/catalog-api/test/support/browser.ts';
import { globalKey, type TestSystem } from '../../apps/provisioner/test/support/system.ts';
import { administrator, startOneOrigin, type OneOrigin } from '../support/one-origin.ts';
import { until } from '../support/until.ts';

const provisionerKey = `rdcs_${'k'.repeat(48)}`;

describe('a session that ends at the catalog', () => {
  let stop: OneOrigin['stop'];
  let plan: OneOrigin['plan'];
  let catalog: RunningCatalog;
  let provisioner: TestSystem;
  let thief: Browser;
  let importId: string;

  beforeEach(async () => {
    const settings = { PROVISIONER_API_KEY: provisionerKey };
    ({ stop, plan, catalog, provisioner, browser: thief } = await startOneOrigin(settings, provisionerKey));
    // Without a worker the import stays queued, and its stream of events stays open.
    importId = (await provisioner.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body.id;
    await signIn();
  });

  afterEach(() => stop());

  const signIn = (): Promise<unknown> => thief.signIn(administrator.email, administrator.password);
  const look = async (): Promise<number> => (await thief.fetch('/datasets/srcsys')).status;
  const endSessions = (): Promise<unknown> => catalog.dataSource.query('DELETE FROM sessions');

  it('should refuse writes at the provisioner at once, and reads within five seconds', async () => {
    expect([await look(), await plan()]).toEqual([200, 202]);
    await endSessions();
    expect(await plan()).toBe(403);
    await signIn();
    expect(await look()).toBe(200);
    await endSessions();
    await until(async () => (await look()) === 403, 6_000);
  });

  it('should lose its stream of events within seconds', async () => {
    const headers = { Cookie: thief.cookieHeader() };
    const stream = await fetch(`${provisioner.url}/imports/${importId}/events`, { headers });
    expect(stream.status).toBe(200);
    await endSessions();
    const begun = performance.now();
    expect(await stream.text()).toContain('event: queued');
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('should have the current roles of its user at the provisioner', async () => {
    await catalog.dataSource.query(`UPDATE users SET roles = '{auditor}'`);
    expect(await plan()).toBe(403);
    await catalog.dataSource.query(`UPDATE users SET roles = '{admin}'`);
    expect(await plan()).toBe(202);
  });

  it('should restrict the provisioner to the scopes of its key', async () => {
    const statusOf = async (path: string, key: string): Promise<number> => (await catalog.fetch(path, { key })).status;
    for (const path of ['/api/projects', '/api/admin/users', '/api/admin/service-keys', '/api/permissions/x']) {
      expect([path, await statusOf(path, provisionerKey)]).toEqual([path, 403]);
    }
    expect(await statusOf('/api/projects', catalogKey)).toBe(200);
  });

  it('should answer 503 to sessions when the catalog is down, and serve the global key', async () => {
    await catalog.app.close();
    // The gateway still forwards to the provisioner, and the cookie is still valid.
    expect(await plan()).toBe(503);
    const global = await provisioner.post(
      '/datasets/srcsys/import?dry_run=true&wait=0',
      { dataset_id: 'DS-1' },
      { 'X-API-Key': globalKey },
    );
    expect(global.status).toBe(202);
  });
});
