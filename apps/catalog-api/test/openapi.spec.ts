import { readFile } from 'node:fs/promises';
import { startCatalog, type RunningCatalog } from './catalog.js';

describe('the OpenAPI description', () => {
  let catalog: RunningCatalog;

  beforeAll(async () => {
    catalog = await startCatalog();
  });

  afterAll(() => catalog.stop());

  it('should be the committed one; after a change run npm run docs:openapi', async () => {
    const committed = await readFile(new URL('../../../docs/openapi/catalog-api.json', import.meta.url), 'utf8');
    const served = await (await catalog.fetch('/docs/openapi.json')).json();
    expect(served).toEqual(JSON.parse(committed));
  });

  it('should be browsable at /docs with nothing from elsewhere', async () => {
    const response = await catalog.fetch('/docs');
    const page = await response.text();
    expect(response.headers.get('content-type')).toContain('text/html');
    const assets = [...page.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address]) => String(address));
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      const url = new URL(asset, `${catalog.url}/docs`);
      expect(url.origin).toBe(new URL(catalog.url).origin);
      const served = await fetch(url);
      await served.arrayBuffer();
      expect([asset, served.status]).toEqual([asset, 200]);
    }
  });
});
