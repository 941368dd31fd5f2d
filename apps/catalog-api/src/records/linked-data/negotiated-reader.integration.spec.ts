import { keys, startSmallCatalog, type SmallCatalog } from '../../../test/small-catalog.js';
import { NegotiatedReader } from './negotiated-reader.js';

const json = 'application/json; charset=utf-8';
const linked = 'application/ld+json; charset=utf-8';

describe(NegotiatedReader.name, () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog();
  });

  afterAll(() => catalog.stop());

  const paths = ['/api/datasets', '/api/datasets?limit=1', '/api/datasets/RDC_11', '/api/projects', '/api/projects/1'];

  it.each([
    ['*/*', json],
    ['application/*', json],
    ['text/html', json],
    ['', json],
    ['nonsense', json],
    ['application/json, application/ld+json', json],
    ['application/ld+json;q=0', json],
    ['application/ld+json;q=0.5, application/json;q=0.9', json],
    ['application/ld+json', linked],
    ['APPLICATION/LD+JSON', linked],
    ['application/ld+json, */*;q=0.1', linked],
    ['text/turtle, application/ld+json;q=0.7', linked],
    ['application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted", application/json;q=0.2', linked],
  ])('should select the form for the header Accept: %s', async (accept, type) => {
    for (const path of paths) {
      const answer = await catalog.fetch(path, { key: keys.global, headers: { Accept: accept } });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, type]);
      expect(answer.headers.get('vary')).toMatch(/^Accept, X-API-Key, Cookie/);
    }
  });

  it.each(paths)('should use different tags for JSON and JSON-LD: %s', async (path) => {
    const get = (accept: string, etag?: string | null): Promise<Response> =>
      catalog.fetch(path, { key: keys.global, headers: { Accept: accept, ...(etag && { 'If-None-Match': etag }) } });
    const [one, other] = [await get('application/json'), await get('application/ld+json')];
    expect(one.headers.get('etag')).not.toBe(other.headers.get('etag'));
    expect((await get('application/ld+json', one.headers.get('etag'))).status).toBe(200);
    const same = await get('application/ld+json', other.headers.get('etag'));
    expect([same.status, same.headers.get('etag')]).toEqual([304, other.headers.get('etag')]);
  });

  it('should apply the filters and pages of the JSON', async () => {
    const headers = { Accept: 'application/ld+json' };
    const graph = async (path: string): Promise<unknown[]> =>
      ((await (await catalog.fetch(path, { key: keys.global, headers })).json()) as { '@graph': unknown[] })['@graph'];
    expect(await graph('/api/datasets?project_id=RDC_1')).toHaveLength(1);
    expect(await graph('/api/datasets?project_id=RDC_3')).toEqual([]);
    expect(await graph('/api/projects?fields=name')).toEqual(await graph('/api/projects'));
    expect(await graph('/api/datasets?updated_since=2100-01-01')).toEqual([]);
  });

  it('should return errors in the JSON envelope', async () => {
    const answer = await catalog.fetch('/api/datasets/RDC_404', {
      key: keys.global,
      headers: { Accept: 'application/ld+json' },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, json]);
  });
});
