import { readFile } from 'node:fs/promises';
import { TestSystem } from './support/system.js';

describe('the OpenAPI description', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.startServer();
  });

  afterAll(() => system.stop());

  it('should be the committed one; after a change run npm run docs:openapi', async () => {
    const committed = await readFile(new URL('../../../docs/openapi/provisioner.json', import.meta.url), 'utf8');
    expect((await system.get('/provisioner/docs/openapi.json')).body).toEqual(JSON.parse(committed));
  });

  it('should be browsable with nothing from elsewhere', async () => {
    const page = await system.get('/provisioner/docs');
    expect(page.headers.get('content-type')).toContain('text/html');
    const assets = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => String(address));
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      const { pathname, host } = new URL(asset, 'http://here/provisioner/docs');
      expect([host, (await system.get(pathname)).status]).toEqual(['here', 200]);
    }
  });
});
