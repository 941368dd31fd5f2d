import { statementsOf, violationsIn, type Linked } from '../../../test/linked-data.js';
import { richCatalog } from '../../../test/linked-records.js';
import { startCatalog } from '../../../test/catalog.js';
import { keys, startSmallCatalog, type SmallCatalog } from '../../../test/small-catalog.js';

interface Catalog extends Linked {
  readonly 'dcat:dataset': { readonly 'dct:identifier': string }[];
  readonly 'hydra:view'?: { readonly '@id': string; readonly 'hydra:next'?: { readonly '@id': string } };
}

describe('GET /api/dcat', () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog(richCatalog);
  });

  afterAll(() => catalog.stop());

  const read = async (path: string): Promise<Catalog> => (await (await catalog.fetch(path)).json()) as Catalog;
  const namesIn = (page: Catalog): string[] => page['dcat:dataset'].map((each) => each['dct:identifier']);

  it('should return an empty catalog when nothing is public', async () => {
    const empty = await startCatalog();
    const answer = await empty.fetch('/api/dcat');
    const document = (await answer.json()) as Catalog;
    expect([answer.status, document['dcat:dataset']]).toEqual([200, []]);
    expect(await violationsIn(await statementsOf(document))).toEqual([]);
    await empty.stop();
  });

  it('should return the same response whatever the key', async () => {
    const plain = await catalog.fetch('/api/dcat');
    const text = await plain.text();
    expect(plain.headers.get('cache-control')).toBe('public, no-cache');
    for (const options of [{ key: keys.global }, { key: keys.unknown }]) {
      const answer = await catalog.fetch('/api/dcat', options);
      expect([answer.status, await answer.text()]).toEqual([200, text]);
      expect(answer.headers.get('etag')).toBe(plain.headers.get('etag'));
    }
  });

  it.each(['/api/dcat', '/api/dcat?limit=1', '/api/dcat/datasets/RDC_11', '/api/dcat/projects/RDC_1', '/sitemap.xml'])(
    'should answer 304 until the content of %s changes',
    async (path) => {
      const etag = (await catalog.fetch(path)).headers.get('etag') ?? '';
      const headers = { 'If-None-Match': etag };
      expect((await catalog.fetch(path, { headers })).status).toBe(304);
      const head = await catalog.fetch(path, { method: 'HEAD' });
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
      const [dataset, project] = [{ description: `New of ${path}` }, { description: `New of ${path}` }];
      await catalog.fetch('/api/datasets/RDC_11', { method: 'PATCH', body: JSON.stringify(dataset), key: keys.global });
      await catalog.fetch('/api/projects/RDC_1', { method: 'PATCH', body: JSON.stringify(project), key: keys.global });
      expect((await catalog.fetch(path, { headers })).status).toBe(200);
    },
  );

  it('should link all pages of the catalog', async () => {
    const pages: Catalog[] = [];
    let next: string | undefined = '/api/dcat?limit=1';
    while (next !== undefined) {
      const page = await read(next);
      pages.push(page);
      expect(`/${page['hydra:view']?.['@id'] ?? ''}`).toBe(next);
      const following = page['hydra:view']?.['hydra:next']?.['@id'];
      next = following === undefined ? undefined : `/${following}`;
    }
    const names = namesIn(await read('/api/dcat'));
    expect(names.length).toBeGreaterThan(1);
    expect(pages.map((page) => [page['@id'], ...namesIn(page)])).toEqual(names.map((name) => ['api/dcat', name]));
  });

  it('should return only datasets that changed or became public since an instant', async () => {
    const now = new Date().toISOString();
    expect(namesIn(await read(`/api/dcat?updated_since=${now}`))).toEqual([]);
    const send = (path: string, body: object): Promise<Response> =>
      catalog.fetch(path, { method: 'POST', body: JSON.stringify(body), key: keys.global });
    await send('/api/datasets/RDC_13/exposures', { endpoint: 'First portal', form_id: 1 });
    expect(namesIn(await read(`/api/dcat?updated_since=${now}`))).toEqual(['RDC_13']);
  });

  it.each(['limit=0', 'limit=x', 'cursor=x', 'updated_since=yesterday', 'limit=1&limit=2'])(
    'should refuse the query %s with the name of the parameter',
    async (query) => {
      const answer = await catalog.fetch(`/api/dcat?${query}`);
      const { more } = (await answer.json()) as { more: { code: string } };
      expect([answer.status, more.code]).toEqual([400, 'input.invalid']);
    },
  );

  it('should answer 405 to every method but GET and HEAD', async () => {
    const answer = await catalog.fetch('/api/dcat', { method: 'POST', key: keys.global });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('should use the origin of the request in identifiers when SERVER_URL is not a web address', async () => {
    const own = await startCatalog({ SERVER_URL: 'our-catalog', BASE_PATH: '/rdc' });
    const { '@context': context } = (await (await own.fetch('/rdc/api/dcat')).json()) as { '@context': object };
    expect(context).toMatchObject({ '@base': `${own.url}/rdc/` });
    await own.stop();
  });
});
