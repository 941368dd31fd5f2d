import {
  problemsIn,
  startWritableCatalog,
  type Answer,
  type Document,
  type WritableCatalog,
} from '../../../test/writing.js';

describe('POST, PUT, PATCH and DELETE /api/partners', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog({ BASE_PATH: '/catalog' });
  });

  afterAll(() => catalog.stop());

  let counter = 0;
  const aName = (): string => `Partner ${String(++counter)}`;

  it('should create a partner with defaults and return its location and the body of a GET', async () => {
    const name = aName();
    const created = await catalog.send('POST', '/api/partners', { name });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/catalog/api/partners/${String(created.body['id_at_source'])}`);
    expect(created.body).toEqual({
      source: 'https://catalog.example.org',
      id_at_source: expect.stringMatching(/^\d+$/) as string,
      external_id: null,
      name,
      acronym: null,
      is_clinical: false,
      geo_category: 'EU',
      sector_category: 'PUBLIC',
      address: null,
      country_code: null,
      metadata: '{}',
      published: false,
    });
    const read = await catalog.read(created.headers.get('location') ?? '');
    expect(read.body).toEqual(created.body);
    expect(read.headers.get('etag')).toBe(created.headers.get('etag'));
  });

  it('should store every member, including Unicode, HTML and SQL', async () => {
    const document = {
      external_id: `EXT-${aName()}`,
      name: `${aName()} <b>Zürich</b> '; DROP TABLE partners; -- 🧬`,
      acronym: 'ÄÖ%_',
      is_clinical: true,
      geo_category: 'National',
      sector_category: 'PRIVATE_NP',
      address: 'One\nTwo',
      country_code: 'LU',
      metadata: { big: 1, nested: { a: [true, null] } },
    };
    const created = await catalog.send('POST', '/api/partners', document);
    expect(created.body).toMatchObject({ ...document, metadata: '{"big": 1, "nested": {"a": [true, null]}}' });
    expect(decodeURIComponent(created.headers.get('location') ?? '')).toBe(
      `/catalog/api/partners/${document.external_id}`,
    );
  });

  it('should list every partner once over all pages when names have the maximum length', async () => {
    const longest = ['😀', '😁', '\u0001', '\u0002'].map((character) => character.repeat(10_000));
    for (const name of longest) expect((await catalog.send('POST', '/api/partners', { name })).status).toBe(201);
    const seen: unknown[] = [];
    let next: string | undefined = '/api/partners?limit=1';
    while (next !== undefined) {
      const { status, headers, body }: Answer = await catalog.read(next);
      expect(status).toBe(200);
      seen.push(...(body['results'] as Document[]).map(({ name }) => name));
      const link = /^<[^?]+(\?[^>]+)>/.exec(headers.get('link') ?? '')?.[1];
      next = link && `/api/partners${link}`;
    }
    expect(seen).toEqual(expect.arrayContaining(longest));
  });

  it('should keep all digits of numbers in metadata', async () => {
    const { body } = await catalog.send('POST', '/api/partners', {
      name: aName(),
      metadata: '{"n": 12345678901234567890.12345}',
    });
    expect(body['metadata']).toBe('{"n": 12345678901234567890.12345}');
  });

  it('should report all problems of a document', async () => {
    const answer = await catalog.send('POST', '/api/partners', {
      is_clinical: 'yes',
      geo_category: 'eu',
      colour: 'red',
    });
    expect(answer.status).toBe(400);
    expect(problemsIn(answer)).toEqual({
      name: 'is missing',
      is_clinical: 'must be true or false',
      geo_category: 'must be one of EU, Non_EU, International, National',
      colour: 'is not known here',
    });
    expect(answer.body['more']).toMatchObject({ allowed: ['EU', 'Non_EU', 'International', 'National'] });
  });

  it.each([
    ['name', '', 'must not be empty'],
    ['name', '  ', 'must not be empty'],
    ['name', null, 'must be text'],
    ['name', 7, 'must be text'],
    ['name', ['a'], 'must be text'],
    ['name', 'x'.repeat(10_001), 'must have at most 10000 characters'],
    ['acronym', 'x'.repeat(10_001), 'must have at most 10000 characters'],
    ['acronym', {}, 'must be text or null'],
    ['external_id', '123', 'must not be empty or digits only'],
    ['external_id', '', 'must not be empty or digits only'],
    ['external_id', 'x'.repeat(256), 'must have at most 255 characters'],
    ['is_clinical', null, 'must be true or false'],
    ['sector_category', '', 'must be one of'],
    ['sector_category', null, 'must be one of'],
    ['address', 5, 'must be text or null'],
    ['country_code', 'lu', 'must be a country code'],
    ['country_code', 'LUX', 'must be a country code'],
    ['metadata', '', 'must be a JSON object'],
    ['metadata', '[1]', 'must be a JSON object'],
    ['metadata', 'x', 'must be a JSON object'],
    ['metadata', null, 'must be text or a JSON object'],
    ['metadata', '{"a":1e999}', 'must be a JSON object'],
    ['metadata', `{"a":${'['.repeat(200)}${']'.repeat(200)}}`, 'must be a JSON object'],
    ['metadata', '{"a":"\\u0000"}', 'must be a JSON object'],
    ['metadata', '{"a":"\\ud800"}', 'must be a JSON object'],
    ['id_at_source', {}, 'must be text or null'],
  ])('should refuse an invalid %s (case %#)', async (field, value, problem) => {
    const answer = await catalog.send('POST', '/api/partners', { name: aName(), [field]: value });
    expect([answer.status, problemsIn(answer)[field]]).toEqual([400, expect.stringContaining(problem)]);
  });

  it.each([
    ['half of a surrogate pair', '{"name":"\\ud800"}'],
    ['deep nesting', `{"name":"x","metadata":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`],
    ['the character NUL', '{"name":"a\\u0000b"}'],
    ['a list', '[]'],
    ['a text', '"name"'],
    ['null', 'null'],
    ['an empty body', ''],
    ['a body that is not JSON', '{name}'],
    ['a prototype', '{"name":"x","__proto__":{"a":1}}'],
  ])('should answer 400 to %s', async (_, body) => {
    expect(await catalog.send('POST', '/api/partners', body)).toMatchObject({ status: 400, body: { status: 'Error' } });
  });

  it('should refuse a name or an accession of another partner', async () => {
    const first = { name: aName(), external_id: `ONCE-${String(counter)}` };
    await catalog.send('POST', '/api/partners', first);
    const again = await catalog.send('POST', '/api/partners', first);
    expect(again.status).toBe(400);
    expect(Object.keys(problemsIn(again)).sort()).toEqual(['external_id', 'name']);
  });

  it('should change nothing when the body of a GET is PUT', async () => {
    const created = await catalog.send('POST', '/api/partners', {
      name: aName(),
      metadata: { a: 1 },
      country_code: 'LU',
    });
    const path = `/api/partners/${String(created.body['id_at_source'])}`;
    const rowsOf = (): Promise<unknown> =>
      catalog.dataSource.query(
        `SELECT partner.version, partner.updated_at, seen.*, kept.version AS list
           FROM partners AS partner JOIN view_records AS seen ON seen.list = 'partners' AND seen.record_id = partner.id
           JOIN view_versions AS kept USING (list, view)
          WHERE partner.id = $1 ORDER BY view`,
        [created.body['id_at_source']],
      );
    const before = await rowsOf();
    const put = await catalog.send('PUT', path, created.body);
    expect([put.status, put.headers.get('etag')]).toEqual([200, created.headers.get('etag')]);
    expect(await rowsOf()).toEqual(before);
  });

  it('should replace all members in a PUT and merge the given members in a PATCH', async () => {
    const created = await catalog.send('POST', '/api/partners', { name: aName(), acronym: 'A', country_code: 'LU' });
    const path = `/api/partners/${String(created.body['id_at_source'])}`;
    const patched = await catalog.send('PATCH', path, { acronym: 'B' });
    expect(patched.body).toMatchObject({ acronym: 'B', country_code: 'LU' });
    const put = await catalog.send('PUT', path, { name: created.body['name'] });
    expect(put.body).toMatchObject({ acronym: null, country_code: null });
  });

  it('should create a partner by PUT under an accession, but not under digits only', async () => {
    const id = `NEW-${String(++counter)}`;
    const created = await catalog.send('PUT', `/api/partners/${id}`, { name: aName() });
    expect([created.status, created.body['external_id']]).toEqual([201, id]);
    const again = await catalog.send('PUT', `/api/partners/${id}`, { name: created.body['name'] });
    expect([again.status, again.headers.get('location')]).toEqual([200, null]);
    const digits = await catalog.send('PUT', '/api/partners/999999', { name: aName() });
    expect(digits.status).toBe(404);
    const other = await catalog.send('PUT', '/api/partners/ANOTHER', { name: aName(), external_id: 'B' });
    expect(problemsIn(other)).toEqual({ external_id: 'must be "ANOTHER", as in the path' });
  });

  it('should refuse to change an accession', async () => {
    await catalog.send('POST', '/api/partners', { name: aName(), external_id: 'FIXED' });
    const answer = await catalog.send('PATCH', '/api/partners/FIXED', { external_id: 'LOOSE' });
    expect(problemsIn(answer)).toEqual({ external_id: 'cannot be changed; it is "FIXED"' });
  });

  it('should answer 412 when If-Match contains another version than the current one', async () => {
    const created = await catalog.send('POST', '/api/partners', { name: aName() });
    const path = `/api/partners/${String(created.body['id_at_source'])}`;
    const etag = created.headers.get('etag') ?? '';
    const stale = { 'If-Match': '"something-else"' };
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await catalog.send(method, path, { name: aName() }, stale);
      expect(answer).toMatchObject({ status: 412, body: { more: { code: 'precondition.failed' } } });
    }
    for (const action of ['publish', 'unpublish']) {
      expect((await catalog.send('POST', `${path}/${action}`, undefined, stale)).status).toBe(412);
    }
    const written = await catalog.send('PATCH', path, { acronym: 'X' }, { 'If-Match': etag });
    expect(written.status).toBe(200);
    expect((await catalog.send('PATCH', path, { acronym: 'Y' }, { 'If-Match': etag })).status).toBe(412);
    expect(
      (await catalog.send('DELETE', path, undefined, { 'If-Match': written.headers.get('etag') ?? '' })).status,
    ).toBe(204);
  });

  it('should accept one of many concurrent edits of the same version', async () => {
    const created = await catalog.send('POST', '/api/partners', { name: aName() });
    const path = `/api/partners/${String(created.body['id_at_source'])}`;
    const headers = { 'If-Match': created.headers.get('etag') ?? '' };
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => catalog.send('PATCH', path, { acronym: `C${String(index)}` }, headers)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(29);
  });

  it('should remove a partner, unless a record refers to it', async () => {
    const created = await catalog.send('POST', '/api/partners', { name: aName() });
    const path = `/api/partners/${String(created.body['id_at_source'])}`;
    const cohort = await catalog.send('POST', '/api/cohorts', { name: aName(), institutes: [created.body['name']] });
    expect(cohort.body['institutes']).toEqual([Number(created.body['id_at_source'])]);
    const refused = await catalog.send('DELETE', path);
    expect(refused).toMatchObject({ status: 400, body: { more: { code: 'record.in_use', users: { cohorts: 1 } } } });
    await catalog.send('DELETE', `/api/cohorts/${String(cohort.body['id_at_source'])}`);
    expect(await catalog.send('DELETE', path)).toMatchObject({ status: 204, body: {} });
    expect((await catalog.send('DELETE', path)).status).toBe(404);
    expect((await catalog.read(path)).status).toBe(404);
  });

  it('should audit the actor and the changes', async () => {
    const name = aName();
    const created = await catalog.send('POST', '/api/partners', { name });
    const path = `/api/partners/${String(created.body['id_at_source'])}`;
    await catalog.send('PUT', path, created.body);
    await catalog.send('PATCH', path, { acronym: 'X' });
    await catalog.send('DELETE', path);
    const trail: unknown = await catalog.dataSource.query(
      `SELECT actor, action, before ->> 'acronym' AS before, after ->> 'acronym' AS after, request_id IS NOT NULL AS traced
         FROM audit_entries WHERE resource = 'partners' AND record_id = $1 ORDER BY id`,
      [created.body['id_at_source']],
    );
    expect(trail).toEqual([
      { actor: 'global', action: 'create', before: null, after: null, traced: true },
      { actor: 'global', action: 'update', before: null, after: 'X', traced: true },
      { actor: 'global', action: 'remove', before: 'X', after: null, traced: true },
    ]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'should refuse %s with an unknown key before it reads the body',
    async (method) => {
      const path = method === 'POST' ? '/api/partners' : '/api/partners/1';
      expect((await catalog.send(method, path, 'x', { 'X-API-Key': 'unknown' })).status).toBe(403);
      expect((await catalog.send(method, path, 'x', { 'X-API-Key': '' })).status).toBe(403);
    },
  );
});
