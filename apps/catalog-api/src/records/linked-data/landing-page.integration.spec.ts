import { richCatalog } from '../../../test/linked-records.js';
import { keys, startSmallCatalog, type SmallCatalog } from '../../../test/small-catalog.js';
import { landingPage } from './landing-page.js';

const rich = `/api/dcat/datasets/${encodeURIComponent('RDC 50/é?<&')}`;
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe(landingPage.name, () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog(richCatalog, { DATA_CONTACT_EMAIL: 'data@example.org' });
  });

  afterAll(() => catalog.stop());

  const read = (path: string, Accept = browser): Promise<Response> => catalog.fetch(path, { headers: { Accept } });

  it('should describe a public dataset to a person, with every text escaped', async () => {
    const answer = await read(rich);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await answer.text();
    expect(html).toContain('<h1>Gait &#34;and&#34; tremor &#60;b&#62;</h1>');
    expect(html).toContain('<a href="https://portal1.example.net/e/RDC%2050%2F%C3%A9%3F%3C%26">');
    expect(html).toContain('<a href="mailto:data@example.org">data@example.org</a>');
    expect(html).toContain('<dd>On request, under conditions</dd>');
    expect(html).not.toContain('<b>');
  });

  it('should contain the dataset as schema.org, without an end of the element', async () => {
    const body = JSON.stringify({ description: 'A </script><script>alert(1)</script>' });
    await catalog.fetch(rich.replace('dcat/', ''), { method: 'PATCH', body, key: keys.global });
    const html = await (await read(rich)).text();
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      '@context': 'https://schema.org/',
      '@type': 'Dataset',
      name: 'Gait "and" tremor <b>',
      description: 'A </script><script>alert(1)</script>',
      identifier: ['RDC 50/é?<&', expect.stringMatching(/^urn:uuid:/)],
      publisher: { '@type': 'Organization', name: 'Home Institute' },
    });
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('should forbid every program and every embedding', async () => {
    const policy = (await read(rich)).headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; .*frame-ancestors 'none'$/);
  });

  it('should have an entity tag of its own', async () => {
    const etag = (await read(rich)).headers.get('etag') ?? '';
    const again = await catalog.fetch(rich, { headers: { Accept: browser, 'If-None-Match': etag } });
    const linked = await catalog.fetch(rich, { headers: { 'If-None-Match': etag } });
    expect([again.status, linked.status]).toEqual([304, 200]);
  });

  it('should be shown for public datasets only', async () => {
    expect((await read('/api/dcat/datasets/RDC_13')).status).toBe(404);
    expect((await read('/api/dcat/datasets/none')).status).toBe(404);
    for (const path of ['/api/dcat', '/api/dcat/projects/RDC_500']) {
      expect([path, (await read(path)).headers.get('content-type')]).toEqual([
        path,
        'application/ld+json; charset=utf-8',
      ]);
      expect([path, (await read(path, 'text/html')).status]).toEqual([path, 406]);
    }
  });
});
