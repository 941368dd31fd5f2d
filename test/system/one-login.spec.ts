import { globalKey } from '../../apps/catalog-api/test/catalog.ts';
import { Browser } from '../../apps/catalog-api/test/support/browser.ts';
import { administrator, startOneOrigin, type OneOrigin } from '../support/one-origin.ts';

const { email, password } = administrator;

describe('one login, at the one origin of both services', () => {
  let origin: OneOrigin;

  beforeAll(async () => {
    origin = await startOneOrigin({}, globalKey);
  });

  beforeEach(async () => {
    await origin.catalog.dataSource.query('UPDATE users SET active = true');
    await origin.browser.signIn(email, password);
  });

  afterAll(() => origin.stop());

  it('should read and write at both services with one cookie and one CSRF token', async () => {
    expect((await origin.browser.fetch('/api/projects')).status).toBe(200);
    expect((await origin.browser.fetch('/datasets/srcsys')).status).toBe(200);
    expect(await origin.plan()).toBe(202);
    origin.browser.csrf = 'guessed';
    expect(await origin.plan()).toBe(403);
  });

  it('should end at both services when the person signs out', async () => {
    expect((await origin.browser.fetch('/api/session', { method: 'DELETE' })).status).toBe(204);
    for (const path of ['/api/projects', '/datasets/srcsys']) {
      expect([path, (await origin.browser.fetch(path)).status]).toEqual([path, 403]);
    }
  });

  it('should end at the catalog when the person is deactivated, and not be renewed for the provisioner', async () => {
    await origin.catalog.dataSource.query('UPDATE users SET active = false WHERE email = $1', [email]);
    for (const path of ['/api/projects', '/api/session']) {
      expect([path, (await origin.browser.fetch(path)).status]).toEqual([path, 403]);
    }
    expect(origin.browser.setCookies).toEqual([]);
    expect((await new Browser(origin.browser.origin).signIn(email, password)).status).toBe(403);
  });
});
