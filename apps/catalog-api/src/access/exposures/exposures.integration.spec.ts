import { setTimeout as pause } from 'node:timers/promises';
import { globalKey } from '../../../test/catalog.js';
import { giveKey } from '../../../test/people.js';
import { problemsIn, startWritableCatalog, type Document, type WritableCatalog } from '../../../test/writing.js';

describe('/api/datasets/:id/exposures', () => {
  let catalog: WritableCatalog;
  const endpointKey = 'p'.repeat(64);

  beforeAll(async () => {
    catalog = await startWritableCatalog();
    await catalog.fill([
      { record: 'partner', id: 1, name: 'Provider' },
      { record: 'cohort', id: 1, name: 'Cohort' },
      {
        record: 'dataset',
        id: 1,
        external_id: 'D-1',
        uuid: crypto.randomUUID(),
        name: 'One',
        data_declarations: [{ title: 'T', partner_id: 1, cohorts: [1] }],
      },
      { record: 'dataset', id: 2, external_id: 'D-2', uuid: crypto.randomUUID(), name: 'Two' },
      { record: 'endpoint', id: 1, name: 'Portal' },
    ]);
    await giveKey(catalog, { endpoint: 1 }, endpointKey);
  });

  afterAll(() => catalog.stop());

  const expose = { endpoint: 'Portal', form_id: 8, form_name: 'Form', request_pdf_enabled: true };
  const seen = async (): Promise<Document[]> => {
    const { body } = await catalog.send('GET', '/api/datasets', undefined, { 'X-API-Key': endpointKey });
    return body['items'] as Document[];
  };

  it('should show an exposed dataset to the endpoint, and publish the partners and cohorts of its declarations', async () => {
    const before = await catalog.send('GET', '/api/datasets', undefined, { 'X-API-Key': endpointKey });
    expect(before.body['items']).toEqual([]);
    const made = await catalog.send('POST', '/api/datasets/D-1/exposures', expose);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...expose, deprecated: false, deprecation_date: null });
    expect((await catalog.read(made.headers.get('location') ?? '')).body).toEqual(made.body);
    expect(await seen()).toMatchObject([
      { external_id: 'D-1', form_id: 8, deprecated: false, request_pdf_enabled: true },
    ]);
    const partners = (await catalog.fetch('/api/partners').then((answer) => answer.json())) as Document;
    const cohorts = (await catalog.fetch('/api/cohorts').then((answer) => answer.json())) as Document;
    expect(partners['results']).toMatchObject([{ name: 'Provider', external_id: 'RDC_1' }]);
    expect(cohorts['results']).toMatchObject([{ name: 'Cohort', external_id: 'RDC_2' }]);
    const stale = { 'X-API-Key': endpointKey, 'If-None-Match': before.headers.get('etag') ?? '' };
    expect((await catalog.fetch('/api/datasets', { headers: stale })).status).toBe(200);
  });

  it('should refuse to expose a dataset twice, and to remove an exposed dataset', async () => {
    const again = await catalog.send('POST', '/api/datasets/D-1/exposures', expose);
    expect(problemsIn(again)).toEqual({
      endpoint: 'must be another endpoint; the dataset is already exposed to "Portal"',
    });
    const removed = await catalog.send('DELETE', '/api/datasets/D-1');
    expect(removed).toMatchObject({
      status: 400,
      body: { more: { code: 'record.in_use', users: { 'active exposures': 1 } } },
    });
  });

  it('should show a deprecated exposure as withdrawn, and allow a new exposure', async () => {
    const { body: list } = await catalog.read('/api/datasets/D-1/exposures');
    const [{ id }] = list['results'] as [Document];
    const path = `/api/datasets/D-1/exposures/${String(id)}/deprecate`;
    expect(problemsIn(await catalog.send('POST', path, { reason: '' }))).toEqual({ reason: 'must not be empty' });
    const deprecated = await catalog.send('POST', path, { reason: 'Consent withdrawn' });
    expect(deprecated).toMatchObject({
      status: 200,
      body: { deprecated: true, deprecation_notes: 'Consent withdrawn' },
    });
    expect(await seen()).toMatchObject([{ deprecated: true, deprecation_notes: 'Consent withdrawn' }]);
    expect((await catalog.send('POST', path, { reason: 'again' })).status).toBe(400);
    expect((await catalog.send('POST', '/api/datasets/D-1/exposures', { ...expose, form_id: 9 })).status).toBe(201);
    expect(await seen()).toMatchObject([{ deprecated: false, form_id: 9 }]);
    const trail: unknown = await catalog.dataSource.query(`SELECT action, resource FROM audit_entries ORDER BY id`);
    expect(trail).toEqual([
      { action: 'publish', resource: 'partners' },
      { action: 'publish', resource: 'cohorts' },
      { action: 'expose', resource: 'exposures' },
      { action: 'deprecate', resource: 'exposures' },
      { action: 'expose', resource: 'exposures' },
    ]);
    const history = async (dataset: number): Promise<unknown[]> => {
      const query = `resource=datasets&record_id=${String(dataset)}`;
      const { body } = await catalog.send('GET', `/api/admin/audit?${query}`);
      return (body['items'] as Document[]).map(({ action, after }) => [action, (after as Document)['endpoint']]);
    };
    expect(await history(1)).toEqual([
      ['expose', 'Portal'],
      ['deprecate', 'Portal'],
      ['expose', 'Portal'],
    ]);
    expect(await history(2)).toEqual([]);
  });

  it('should refuse to expose or withdraw a dataset that does not match If-Match', async () => {
    const path = '/api/datasets/D-3/exposures';
    await catalog.send('PUT', '/api/datasets/D-3', { name: 'Three' });
    const tagOf = async (of: string): Promise<string> => (await catalog.read(of)).headers.get('etag') ?? '';
    const tag = await tagOf('/api/datasets/D-3');
    await catalog.send('PATCH', '/api/datasets/D-3', { description: 'Changed' });
    const expose3 = (ifMatch: string) => catalog.send('POST', path, expose, { 'If-Match': ifMatch });
    expect((await expose3(tag)).status).toBe(412);
    const { status, body } = await expose3(await tagOf('/api/datasets/D-3'));
    expect(status).toBe(201);
    const exposure = `${path}/${String(body['id'])}`;
    const deprecate = (ifMatch: string) =>
      catalog.send('POST', `${exposure}/deprecate`, { reason: 'r' }, { 'If-Match': ifMatch });
    const exposed = await tagOf(exposure);
    expect((await catalog.fetch(exposure, { key: globalKey, headers: { 'If-None-Match': exposed } })).status).toBe(304);
    expect([(await deprecate('"x"')).status, (await deprecate(exposed)).status]).toEqual([412, 200]);
  });

  it('should accept one of several concurrent exposures', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => catalog.send('POST', '/api/datasets/D-2/exposures', expose)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400, 400, 400]);
  });

  it.each([
    ['endpoint', undefined, 'must be text'],
    ['endpoint', '', 'must not be empty'],
    ['endpoint', 'portal', 'does not exist'],
    ['endpoint', 7, 'must be text'],
    ['form_id', '8', 'must be a whole number'],
    ['form_id', 1e12, 'must be a whole number from 0 to 2147483647'],
    ['form_id', -1, 'must be a whole number from 0 to 2147483647'],
    ['form_name', 'x'.repeat(501), 'must have at most 500 characters'],
    ['request_pdf_enabled', 'yes', 'must be true or false'],
    ['dataset', 'x', 'is not known here'],
  ])('should refuse an invalid %s, case %#', async (field, value, problem) => {
    const answer = await catalog.send('POST', '/api/datasets/D-2/exposures', { ...expose, [field]: value });
    expect([answer.status, problemsIn(answer)[field]]).toEqual([400, expect.stringContaining(problem)]);
  });

  it('should refuse an exposure when the endpoint is removed at the same time', async () => {
    const { body } = await catalog.send('POST', '/api/admin/endpoints', { name: 'Leaving' });
    const other = catalog.dataSource.createQueryRunner();
    await other.startTransaction();
    try {
      await other.query('DELETE FROM endpoint_keys WHERE endpoint_id = $1', [body['id']]);
      await other.query('DELETE FROM endpoints WHERE id = $1', [body['id']]);
      const exposed = catalog.send('POST', '/api/datasets/D-2/exposures', { ...expose, endpoint: 'Leaving' });
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'transactionid'`;
      while ((await catalog.dataSource.query<unknown[]>(waiting)).length === 0) await pause(20);
      await other.commitTransaction();
      expect(problemsIn(await exposed)).toEqual({
        endpoint: 'must be the name of an endpoint; "Leaving" does not exist',
      });
    } finally {
      if (other.isTransactionActive) await other.rollbackTransaction();
      await other.release();
    }
  });

  it('should answer 404 for an unknown dataset and an unknown exposure', async () => {
    expect((await catalog.send('POST', '/api/datasets/nope/exposures', expose)).status).toBe(404);
    const path = '/api/datasets/D-2/exposures';
    for (const id of ['1', 'x', '99999999999']) {
      expect((await catalog.send('POST', `${path}/${id}/deprecate`, { reason: 'r' })).status).toBe(404);
    }
  });
});

describe('publishing', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
  });

  afterAll(() => catalog.stop());

  it.each(['partners', 'cohorts'])(
    'should assign an accession to one of the %s at its first publication, and keep it',
    async (list) => {
      const made = await catalog.send('POST', `/api/${list}`, { name: 'One' });
      const path = `/api/${list}/${String(made.body['id_at_source'])}`;
      const published = await catalog.send('POST', `${path}/publish`, {});
      expect(published.status).toBe(200);
      expect(published.body).toMatchObject({
        published: true,
        external_id: expect.stringMatching(/^RDC_\d+$/) as string,
      });
      const again = await catalog.send('POST', `${path}/publish`);
      expect([again.status, again.headers.get('etag')]).toEqual([200, published.headers.get('etag')]);
      const hidden = await catalog.send('POST', `${path}/unpublish`);
      expect(hidden.body).toEqual({ ...published.body, published: false });
      expect((await catalog.send('POST', `/api/${list}/none/publish`)).status).toBe(404);
      expect((await catalog.send('POST', `${path}/publish`, {}, { 'X-API-Key': '' })).status).toBe(403);
    },
  );
});
