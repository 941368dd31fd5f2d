import { globalKey as catalogKey, startCatalog, type RunningCatalog } from '../../apps/catalog-api/test/catalog.ts';
import { Browser } from '../../apps/catalog-api/test/support/browser.ts';
import { globalKey, TestSystem } from '../../apps/provisioner/test/support/system.ts';
import { ForwardingHeaders } from '../../scripts/gateway/forwarding-headers.ts';
import { Gateway } from '../../scripts/gateway/gateway.ts';
import { until } from '../support/until.ts';

const email = 'ada@example.org';
const password = 'correct horse battery staple';
const shared = {
  SESSION_SECRET: 'the session secret that both services have',
  GATEWAY_SECRET: 'the secret by which they know their gateway',
};
const provisionerKey = `rdcs_${'k'.repeat(48)}`;

describe('a session that ends at the catalog', () => {
  let catalog: RunningCatalog;
  let provisioner: TestSystem;
  let gateway: Gateway;
  let thief: Browser;
  let importId: string;

  beforeAll(async () => {
    const administrator = { ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
    catalog = await startCatalog({ ...shared, ...administrator, PROVISIONER_API_KEY: provisionerKey });
    provisioner = await TestSystem.create({ ...shared, CATALOG_URL: catalog.url, CATALOG_API_KEY: provisionerKey });
    await provisioner.deliver('SUB-1', { 'DS-1/a.txt': 'a', 'DS-1/.ready': '' });
    await provisioner.startServer();
    const ports = { 'catalog-api': portOf(catalog.url), provisioner: portOf(provisioner.url) };
    gateway = new Gateway({ ports, headers: new ForwardingHeaders(shared.GATEWAY_SECRET, []) });
    const port = await gateway.listen(0, '127.0.0.1');
    thief = new Browser(`http://127.0.0.1:${String(port)}`);
    // Without a worker the import stays queued, and its stream of events stays open.
    importId = (await provisioner.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).body.id;
  });

  beforeEach(async () => {
    await thief.signIn(email, password);
  });

  afterAll(async () => {
    await gateway.close();
    await provisioner.stop();
    await catalog.stop();
  });

  const plan = async (): Promise<number> =>
    (await thief.fetch('/datasets/srcsys/import?dry_run=true', { method: 'POST', json: { dataset_id: 'DS-1' } }))
      .status;
  const look = async (): Promise<number> => (await thief.fetch('/datasets/srcsys')).status;
  const endSessions = (): Promise<unknown> => catalog.dataSource.query('DELETE FROM sessions');

  it('should refuse writes at the provisioner at once, and reads within five seconds', async () => {
    expect([await look(), await plan()]).toEqual([200, 200]);
    await endSessions();
    expect(await plan()).toBe(403);
    await thief.signIn(email, password);
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
    expect(await plan()).toBe(200);
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
      '/datasets/srcsys/import?dry_run=true',
      { dataset_id: 'DS-1' },
      { 'X-API-Key': globalKey },
    );
    expect(global.status).toBe(200);
  });
});

function portOf(url: string): number {
  return Number(new URL(url).port);
}
