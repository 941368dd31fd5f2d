import { globalKey, startCatalog, type RunningCatalog } from '../../apps/catalog-api/test/catalog.ts';
import { Browser } from '../../apps/catalog-api/test/support/browser.ts';
import { TestSystem } from '../../apps/provisioner/test/support/system.ts';
import { ForwardingHeaders } from '../../scripts/gateway/forwarding-headers.ts';
import { Gateway } from '../../scripts/gateway/gateway.ts';

const email = 'ada@example.org';
const password = 'correct horse battery staple';
const shared = {
  SESSION_SECRET: 'the session secret that both services have',
  GATEWAY_SECRET: 'the secret by which they know their gateway',
};

describe('one login, at the one origin of both services', () => {
  let catalog: RunningCatalog;
  let provisioner: TestSystem;
  let gateway: Gateway;
  let browser: Browser;

  beforeAll(async () => {
    catalog = await startCatalog({ ...shared, ADMIN_EMAIL: email, ADMIN_PASSWORD: password });
    provisioner = await TestSystem.create({ ...shared, CATALOG_URL: catalog.url, CATALOG_API_KEY: globalKey });
    await provisioner.deliver('SUB-1', { 'DS-1/a.txt': 'a', 'DS-1/.ready': '' });
    await provisioner.startServer();
    const ports = { 'catalog-api': portOf(catalog.url), provisioner: portOf(provisioner.url) };
    gateway = new Gateway({ ports, headers: new ForwardingHeaders(shared.GATEWAY_SECRET, []) });
    const port = await gateway.listen(0, '127.0.0.1');
    browser = new Browser(`http://127.0.0.1:${String(port)}`);
  });

  beforeEach(async () => {
    await catalog.dataSource.query('UPDATE users SET active = true');
    await browser.signIn(email, password);
  });

  afterAll(async () => {
    await gateway.close();
    await provisioner.stop();
    await catalog.stop();
  });

  const plan = async (): Promise<number> =>
    (await browser.fetch('/datasets/srcsys/import?dry_run=true', { method: 'POST', json: { dataset_id: 'DS-1' } }))
      .status;

  it('should read and write at both services with one cookie and one CSRF token', async () => {
    expect((await browser.fetch('/api/projects')).status).toBe(200);
    expect((await browser.fetch('/datasets/srcsys')).status).toBe(200);
    expect(await plan()).toBe(200);
    browser.csrf = 'guessed';
    expect(await plan()).toBe(403);
  });

  it('should end at both services when the person signs out', async () => {
    expect((await browser.fetch('/api/session', { method: 'DELETE' })).status).toBe(204);
    for (const path of ['/api/projects', '/datasets/srcsys']) {
      expect([path, (await browser.fetch(path)).status]).toEqual([path, 403]);
    }
  });

  it('should end at the catalog when the person is deactivated, and not be renewed for the provisioner', async () => {
    await catalog.dataSource.query('UPDATE users SET active = false WHERE email = $1', [email]);
    for (const path of ['/api/projects', '/api/session']) {
      expect([path, (await browser.fetch(path)).status]).toEqual([path, 403]);
    }
    expect(browser.setCookies).toEqual([]);
    expect((await new Browser(browser.origin).signIn(email, password)).status).toBe(403);
  });
});

function portOf(url: string): number {
  return Number(new URL(url).port);
}
