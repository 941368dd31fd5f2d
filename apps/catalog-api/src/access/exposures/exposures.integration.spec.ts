import { globalKey } from '../../../test/catalog.js';
import { giveKey } from '../../../test/people.js';
import { untilBlocked } from '../../../test/until-blocked.js';
import {
  problemsIn,
  startWritableCatalog,
  type Answer,
  type Document,
  type WritableCatalog,
} from '../../../test/writing.js';

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
  const asEndpoint = { 'X-API-Key': endpointKey };
  const endpointsView = async (dataset: string): Promise<Document | undefined> => {
    const { body } = await catalog.send('GET', '/api/datasets', undefined, asEndpoint);
    return (body['items'] as Document[]).find(({ external_id }) => external_id === dataset);
  };
  const createDataset = async (id: string, document: object = {}): Promise<string> => {
    const { status } = await catalog.send('PUT', `/api/datasets/${id}`, { name: id, ...document });
    expect(status).toBe(201);
    return `/api/datasets/${id}/exposures`;
  };
  /** Exposes a new dataset and returns the path of the exposure. */
  const exposeNew = async (id: string): Promise<string> => {
    const list = await createDataset(id);
    return `${list}/${String((await catalog.send('POST', list, expose)).body['id'])}`;
  };
  const deprecate = (exposure: string, reason = 'Consent withdrawn', headers = {}): Promise<Answer> =>
    catalog.send('POST', `${exposure}/deprecate`, { reason }, headers);
  const history = async (id: string): Promise<unknown[]> => {
    const { body: dataset } = await catalog.read(`/api/datasets/${id}`);
    const query = `resource=datasets&record_id=${String(dataset['id_at_source'])}`;
    const { body } = await catalog.read(`/api/admin/audit?${query}`);
    const entries = body['items'] as { action: string; actor: string; after: Document }[];
    return entries
      .filter(({ action }) => action !== 'create')
      .map(({ action, actor, after }) => [action, actor, after['endpoint']])
      .reverse();
  };

  it('should return the exposure when a dataset is exposed, and at its location', async () => {
    const created = await catalog.send('POST', await createDataset('NEW'), expose);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ ...expose, deprecated: false, deprecation_date: null });
    expect((await catalog.read(created.headers.get('location') ?? '')).body).toEqual(created.body);
  });

  it('should show a dataset to the endpoint when the dataset is exposed', async () => {
    const list = await createDataset('SHOWN');
    expect(await endpointsView('SHOWN')).toBeUndefined();
    await catalog.send('POST', list, expose);
    expect(await endpointsView('SHOWN')).toMatchObject({ form_id: 8, deprecated: false, request_pdf_enabled: true });
  });

  it("should change the tag of the endpoint's list when a dataset is exposed", async () => {
    const { headers } = await catalog.send('GET', '/api/datasets', undefined, asEndpoint);
    const stale = { ...asEndpoint, 'If-None-Match': headers.get('etag') ?? '' };
    expect((await catalog.fetch('/api/datasets', { headers: stale })).status).toBe(304);
    await exposeNew('TAGGED');
    expect((await catalog.fetch('/api/datasets', { headers: stale })).status).toBe(200);
  });

  it('should publish the partners and cohorts of the declarations when a dataset is exposed', async () => {
    expect((await catalog.send('POST', '/api/datasets/D-1/exposures', expose)).status).toBe(201);
    const partners = (await catalog.fetch('/api/partners').then((answer) => answer.json())) as Document;
    const cohorts = (await catalog.fetch('/api/cohorts').then((answer) => answer.json())) as Document;
    expect(partners['results']).toMatchObject([{ name: 'Provider', external_id: 'RDC_1' }]);
    expect(cohorts['results']).toMatchObject([{ name: 'Cohort', external_id: 'RDC_2' }]);
    const published: unknown = await catalog.dataSource.query(
      `SELECT resource FROM audit_entries WHERE action = 'publish' ORDER BY id`,
    );
    expect(published).toEqual([{ resource: 'partners' }, { resource: 'cohorts' }]);
  });

  it('should refuse an exposure when the dataset is already exposed to the endpoint', async () => {
    await exposeNew('TWICE');
    const again = await catalog.send('POST', '/api/datasets/TWICE/exposures', expose);
    expect(problemsIn(again)).toEqual({
      endpoint: 'must be another endpoint; the dataset is already exposed to "Portal"',
    });
  });

  it('should refuse to remove a dataset when the dataset is exposed', async () => {
    await exposeNew('KEPT');
    expect(await catalog.send('DELETE', '/api/datasets/KEPT')).toMatchObject({
      status: 400,
      body: { more: { code: 'record.in_use', users: { 'active exposures': 1 } } },
    });
  });

  it('should refuse a deprecation when its reason is empty', async () => {
    expect(problemsIn(await deprecate(await exposeNew('UNEXPLAINED'), ''))).toEqual({ reason: 'must not be empty' });
  });

  it('should show the dataset as withdrawn to the endpoint when its exposure is deprecated', async () => {
    const deprecated = { deprecated: true, deprecation_notes: 'Consent withdrawn' };
    expect(await deprecate(await exposeNew('WITHDRAWN'))).toMatchObject({ status: 200, body: deprecated });
    expect(await endpointsView('WITHDRAWN')).toMatchObject(deprecated);
  });

  it('should refuse a deprecation when the exposure is already deprecated', async () => {
    const exposure = await exposeNew('DEPRECATED');
    await deprecate(exposure);
    expect((await deprecate(exposure)).status).toBe(400);
  });

  it('should show the new exposure to the endpoint when a withdrawn dataset is exposed again', async () => {
    await deprecate(await exposeNew('BACK'));
    expect((await catalog.send('POST', '/api/datasets/BACK/exposures', { ...expose, form_id: 9 })).status).toBe(201);
    expect(await endpointsView('BACK')).toMatchObject({ deprecated: false, form_id: 9 });
  });

  it('should record exposures and deprecations in the audit trail of their dataset only', async () => {
    await deprecate(await exposeNew('AUDITED'));
    await catalog.send('POST', '/api/datasets/AUDITED/exposures', expose);
    await createDataset('UNTOUCHED');
    expect(await history('AUDITED')).toEqual([
      ['expose', 'global', 'Portal'],
      ['deprecate', 'global', 'Portal'],
      ['expose', 'global', 'Portal'],
    ]);
    expect(await history('UNTOUCHED')).toEqual([]);
  });

  it('should refuse an exposure when the dataset does not match If-Match', async () => {
    const list = await createDataset('CHANGED');
    const tagOf = async (): Promise<string> => (await catalog.read('/api/datasets/CHANGED')).headers.get('etag') ?? '';
    const stale = await tagOf();
    await catalog.send('PATCH', '/api/datasets/CHANGED', { description: 'Changed' });
    expect((await catalog.send('POST', list, expose, { 'If-Match': stale })).status).toBe(412);
    expect((await catalog.send('POST', list, expose, { 'If-Match': await tagOf() })).status).toBe(201);
  });

  it('should refuse a deprecation when the exposure does not match If-Match', async () => {
    const exposure = await exposeNew('MATCHED');
    const etag = (await catalog.read(exposure)).headers.get('etag') ?? '';
    expect((await deprecate(exposure, 'r', { 'If-Match': '"x"' })).status).toBe(412);
    expect((await deprecate(exposure, 'r', { 'If-Match': etag })).status).toBe(200);
  });

  it('should answer 304 when the exposure matches If-None-Match', async () => {
    const exposure = await exposeNew('UNCHANGED');
    const etag = (await catalog.read(exposure)).headers.get('etag') ?? '';
    expect((await catalog.fetch(exposure, { key: globalKey, headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  it('should accept one exposure when several requests send it at the same time', async () => {
    const list = await createDataset('RACED');
    const answers = await Promise.all(Array.from({ length: 8 }, () => catalog.send('POST', list, expose)));
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
      await untilBlocked(catalog);
      await other.commitTransaction();
      expect(problemsIn(await exposed)).toEqual({
        endpoint: 'must be the name of an endpoint; "Leaving" does not exist',
      });
    } finally {
      if (other.isTransactionActive) await other.rollbackTransaction();
      await other.release();
    }
  });

  it('should answer 404 when the dataset or the exposure does not exist', async () => {
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

  describe.each(['partners', 'cohorts'])('/api/%s/:id', (list) => {
    const create = async (): Promise<string> => {
      const { body } = await catalog.send('POST', `/api/${list}`, { name: crypto.randomUUID() });
      return `/api/${list}/${String(body['id_at_source'])}`;
    };
    const publish = (path: string): Promise<Answer> => catalog.send('POST', `${path}/publish`, {});

    it('should assign an accession to the record when it is published for the first time', async () => {
      const { status, body } = await publish(await create());
      const external_id: unknown = expect.stringMatching(/^RDC_\d+$/);
      expect([status, body]).toEqual([200, expect.objectContaining({ published: true, external_id })]);
    });

    it('should not change the record when it is published a second time', async () => {
      const path = await create();
      const { headers } = await publish(path);
      const again = await catalog.send('POST', `${path}/publish`);
      expect([again.status, again.headers.get('etag')]).toEqual([200, headers.get('etag')]);
    });

    it('should keep the accession when the record is unpublished', async () => {
      const path = await create();
      const { body } = await publish(path);
      expect((await catalog.send('POST', `${path}/unpublish`)).body).toEqual({ ...body, published: false });
    });

    it('should answer 404 when the record does not exist', async () => {
      expect((await publish(`/api/${list}/none`)).status).toBe(404);
    });

    it('should refuse to publish a record when the caller has no key', async () => {
      expect((await catalog.send('POST', `${await create()}/publish`, {}, { 'X-API-Key': '' })).status).toBe(403);
    });
  });
});
