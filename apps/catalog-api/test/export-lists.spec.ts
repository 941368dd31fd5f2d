import { keys, startSmallCatalog, type Item, type SmallCatalog } from './small-catalog.js';

describe('GET of lists and records', () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog();
  });

  afterAll(() => catalog.stop());

  it.each([
    ['/api/projects?project_id=2', '2'],
    ['/api/projects?project_id=RDC_2', '2'],
    ['/api/projects?project_id=99', ''],
    ['/api/projects?project_id=99999999999999', ''],
    ['/api/datasets?project_id=RDC_1', '1'],
    ['/api/datasets?project_id=3', '3'],
    ['/api/datasets?project_title=The+QUIET+study', '3'],
    ['/api/datasets?project_title=the+quiet+study', ''],
    ['/api/datasets?project_title=The+QUIET+study&project_id=1', ''],
    [`/api/datasets?project_title=${encodeURIComponent("'; DROP TABLE users; --")}`, ''],
    ['/api/contracts?project_id=RDC_2', '2'],
    ['/api/datasets?_name=Data+1', '1 2 3'],
    ['/api/datasets/?updated_since=2999-01-01', ''],
    ['/api/datasets?updated_since=2000-01-01T00:00:00Z', '1 2 3'],
    ['/api/datasets?updated_since=2000-01-01T00:00:00', '1 2 3'],
  ])('should return for %s the ids "%s"', async (path, expected) => {
    const found = await catalog.items(path, keys.global);
    expect(found.map((item) => item['id_at_source'] ?? item['id']).join(' ')).toBe(expected);
  });

  it('should return exactly the requested fields', async () => {
    expect((await catalog.items('/api/projects?fields=name,%20acronym', keys.ada))[0]).toEqual({
      acronym: 'EXPOSED',
      name: 'The EXPOSED study',
    });
    expect((await catalog.items('/api/projects?fields=source,contacts', keys.ada))[0]).toHaveProperty('contacts');
    expect(await catalog.items('/api/partners?fields=external_id', keys.plain)).toEqual([
      { external_id: null },
      { external_id: 'RDC_101' },
    ]);
    expect((await catalog.items('/api/partners?fields=external_id'))[0]).toHaveProperty('is_clinical');
  });

  it.each(['projects', 'datasets', 'contracts', 'partners', 'cohorts'])(
    'should add the instant of the last change to %s only when it is requested',
    async (list) => {
      const plain = await catalog.items(`/api/${list}`, keys.global);
      const dated = await catalog.items(`/api/${list}?with=updated_at`, keys.global);
      const [first] = dated;
      expect(dated).toEqual(plain.map((item) => ({ ...item, updated_at: expect.any(String) as unknown })));
      expect(first?.['updated_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const since = await catalog.items(`/api/${list}?updated_since=${String(first?.['updated_at'])}`, keys.global);
      expect(since).toContainEqual(plain[0]);
      const path = `/api/${list}/${String(first?.['id_at_source'] ?? first?.['id'])}`;
      const body = JSON.stringify(first);
      expect((await catalog.fetch(path, { method: 'PUT', key: keys.global, body })).status).toBe(200);
      expect((await catalog.items(`/api/${list}`, keys.global))[0]).toEqual(plain[0]);
    },
  );

  it('should add the instant of the last change to the requested fields', async () => {
    const [item] = await catalog.items('/api/projects?fields=name&with=updated_at', keys.ada);
    expect(Object.keys(item ?? {})).toEqual(['name', 'updated_at']);
  });

  it.each([
    ['/api/datasets?name=Data+1', 'name is not a parameter here'],
    ['/api/datasets?update_since=2026-01-01', 'did you mean updated_since?'],
    ['/api/projects?fields=', 'fields must name at least one field'],
    ['/api/projects?fields=name,nickname', 'fields must not name "nickname"'],
    ['/api/partners?fields=address', 'fields must not name "address"'],
    ['/api/partners?published=', 'published must be true or false'],
    ['/api/partners?published=1', 'published must be true or false'],
    ['/api/cohorts?published=maybe', 'published must be true or false or all'],
    ['/api/contracts?all=yes', 'all must be true or false'],
    ['/api/projects?project_id=', 'project_id must have 1 to 255 characters'],
    ['/api/projects?project_id=1&project_id=2', 'project_id must be given once'],
    ['/api/projects?project_id=%00', 'project_id must not hold the character NUL'],
    [`/api/datasets?project_title=${'x'.repeat(501)}`, 'project_title must have 1 to 500 characters'],
    ['/api/datasets?limit=0', 'limit must be a whole number from 1 to 1000'],
    ['/api/datasets?limit=1001', 'limit must be a whole number from 1 to 1000'],
    ['/api/datasets?limit=ten', 'limit must be a whole number from 1 to 1000'],
    ['/api/datasets?cursor=@@', 'cursor must be taken from the Link of another page'],
    ['/api/datasets?cursor=abc', 'cursor must be taken from the Link of another page'],
    ['/api/datasets?with=created_at', 'with must be updated_at'],
    ['/api/users?with=updated_at', 'with is not a parameter here'],
    ['/api/datasets?updated_since=yesterday', 'updated_since must be a day or an instant'],
    ['/api/datasets?updated_since=2024-13-01', 'updated_since must be a day or an instant'],
    ['/api/datasets?updated_since=2026-02-30', 'updated_since must be a day or an instant'],
    ['/api/datasets?updated_since=9999-12-31T23:59:59-01:00', 'updated_since must be a day or an instant'],
  ])('should answer 400 with a reason to %s', async (path, reason) => {
    const response = await catalog.fetch(path, { key: keys.global });
    const body = (await response.json()) as { description: string; more: { code: string; fields: unknown[] } };
    expect(response.status).toBe(400);
    expect(body.description).toContain(reason);
    expect(body.more).toMatchObject({ code: 'input.invalid' });
  });

  it.each(['projects', 'datasets', 'contracts', 'partners', 'cohorts'])(
    'should return every item of %s once over all pages',
    async (list) => {
      const whole = await catalog.items(`/api/${list}`, keys.global);
      const paged: Item[] = [];
      let next: string | undefined = `/api/${list}?limit=1&API_KEY=${keys.global}`;
      while (next !== undefined) {
        const response: Response = await catalog.fetch(next, { key: keys.global });
        const body = (await response.json()) as { items?: Item[]; results?: Item[] };
        paged.push(...(body.items ?? body.results ?? []));
        const link = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
        expect(link ?? '').not.toContain('API_KEY');
        next = link?.replace(catalog.url, '');
        expect(next ?? '/api/').toMatch(/^\/api\//);
      }
      expect(paged).toEqual(whole);
    },
  );

  it('should keep every parameter, properly encoded, in the link to the next page', async () => {
    const response = await catalog.fetch('/api/datasets?_note=what?&limit=1', { key: keys.global });
    const [, query] = /^<[^?]+\?([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    const parameters = new URLSearchParams(query);
    expect([parameters.get('_note'), parameters.get('limit')]).toEqual(['what?', '1']);
  });

  it('should return a record by either id, and 404 for every other id', async () => {
    expect(await catalog.get('/api/datasets/RDC_12', keys.global)).toMatchObject({ id_at_source: '2' });
    expect(await catalog.get('/api/contracts/3', keys.global)).toMatchObject({ id: 3 });
    for (const path of ['/api/datasets/RDC_99', '/api/datasets/99999999999', '/api/contracts/x', '/api/cohorts/%00']) {
      const response = await catalog.fetch(path, { key: keys.global });
      expect(await response.json()).toMatchObject({ status: 'Error', more: { code: 'record.unknown' } });
      expect(response.status).toBe(404);
    }
  });

  it.each(['/api/datasets', '/api/datasets?limit=2', '/api/projects?fields=name', '/api/datasets/1'])(
    'should answer 304 for %s only when the caller has the current response',
    async (path) => {
      const first = await catalog.fetch(path, { key: keys.global });
      const etag = first.headers.get('etag') ?? '';
      await first.text();
      const again = await catalog.fetch(path, { key: keys.global, headers: { 'If-None-Match': `"x", ${etag}` } });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
      const other = await catalog.fetch(path, { key: keys.first, headers: { 'If-None-Match': etag } });
      await other.text();
      expect(other.status).toBe(200);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      expect(first.headers.get('vary')).toContain('X-API-Key');
    },
  );

  it.each(['br', 'gzip'])('should compress a response with %s when the caller accepts it', async (encoding) => {
    const plain = await (
      await catalog.fetch('/api/datasets', { key: keys.global, headers: { 'Accept-Encoding': 'identity' } })
    ).text();
    const packed = await catalog.fetch('/api/datasets', {
      key: keys.global,
      headers: { 'Accept-Encoding': encoding },
    });
    expect(packed.headers.get('content-encoding')).toBe(encoding);
    expect(await packed.text()).toBe(plain);
  });

  it.each(['projects', 'datasets', 'contracts', 'partners', 'cohorts'])(
    'should answer HEAD of %s with the headers of GET',
    async (list) => {
      for (const path of [`/api/${list}`, `/api/${list}/1`]) {
        const [head, whole] = await Promise.all([
          catalog.fetch(path, { method: 'HEAD', key: keys.global }),
          catalog.fetch(path, { key: keys.global }),
        ]);
        expect([head.status, head.headers.get('etag')]).toEqual([200, whole.headers.get('etag')]);
        expect(await head.text()).toBe('');
        expect(whole.headers.get('content-type')).toBe('application/json; charset=utf-8');
      }
    },
  );

  it('should answer 405 to an unsupported method before it checks the key', async () => {
    const response = await catalog.fetch('/api/partners', { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });

  it('should accept the key in the query, and prefer the key in the header', async () => {
    expect(await catalog.items(`/api/projects?API_KEY=${keys.ada}`)).toHaveLength(1);
    expect(await catalog.items(`/api/projects?API_KEY=${keys.ada}`, keys.global)).toHaveLength(3);
  });
});
