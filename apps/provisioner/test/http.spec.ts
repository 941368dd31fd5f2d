import { nextPage, TestSystem } from './support/system.js';

const anyText = expect.any(String) as string;

describe('HTTP interface of the provisioner', () => {
  let system: TestSystem;

  beforeAll(async () => {
    system = await TestSystem.create();
    await system.deliver('SUB-1', {
      'submission.json': JSON.stringify({ title: 'One', submitter: 'a@example.org' }),
      'DS-1/a': '12345',
      'DS-2/b': '1',
    });
    await system.deliver('SUB-2', { 'DS-3/c': '1', 'DS-4/c': '1' });
    await system.deliver('SUB-3', { 'DS-4/c': '1', 'a b/c': '1' });
    await system.startServer();
    await system.startWorker();
    const imported = await system.post('/datasets/srcsys/import?wait=20', { dataset_id: 'DS-1' });
    expect(imported).toMatchObject({ status: 200, body: { state: 'finished' } });
  });

  afterAll(async () => {
    await system.stop();
  });

  const reads = [
    '/submissions/srcsys',
    '/submissions/srcsys/diff',
    '/submissions/srcsys/SUB-1',
    '/datasets/srcsys',
    '/datasets/srcsys/diff',
    '/datasets/srcsys/DS-1',
    '/datasets/srcsys/DS-1/manifest',
    '/imports',
    '/imports/storage',
  ];
  const writes = [
    '/submissions/srcsys/import',
    '/datasets/srcsys/import',
    '/datasets/srcsys/DS-1/verify',
    '/imports/01ARZ3NDEKTSV4RRFFQ69G5FAV/cancel',
    '/imports/01ARZ3NDEKTSV4RRFFQ69G5FAV/retry',
  ];

  it.each(reads)('should answer GET %s', async (path) => {
    expect((await system.get(path)).status).toBe(200);
  });

  it.each([...reads.map((path) => ['GET', path] as const), ...writes.map((path) => ['POST', path] as const)])(
    'should refuse %s %s without a valid key',
    async (method, path) => {
      const without = await system.call(method, path, undefined, { 'X-API-Key': '' });
      expect(without).toMatchObject({ status: 403, body: { status: 'Error', more: { code: 'key.required' } } });
      expect(without.body.description).toContain('X-API-Key');
      const wrong = await system.call(method, path, undefined, { 'X-API-Key': 'wrong' });
      expect(wrong).toMatchObject({ status: 403, body: { more: { code: 'key.unknown' } } });
    },
  );

  it('should answer 429 to wrong keys above the limit, but not to a valid or missing key', async () => {
    const limited = await TestSystem.create({ RATE_LIMIT_WRONG_KEYS: '2' });
    await limited.startServer();
    const readWith = (key: string) => limited.get('/imports', { 'X-API-Key': key });
    const answers = [await readWith('wrong'), await readWith('wrong too'), await readWith('wrong as well')];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 429]);
    expect(answers[2]?.body.more.code).toBe('rate.limited');
    expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.get('/imports')).status).toBe(200);
    expect((await readWith('')).body.more.code).toBe('key.required');
    await limited.stop();
  });

  it('should accept the key as a query parameter', async () => {
    const key = encodeURIComponent(system.environment['GLOBAL_API_KEY'] ?? '');
    expect((await system.get(`/datasets/srcsys?API_KEY=${key}`, { 'X-API-Key': '' })).status).toBe(200);
  });

  it.each([
    ['GET', '/datasets/srcsys/import', 'POST'],
    ['GET', '/submissions/srcsys/import', 'POST'],
    ['PUT', '/datasets/srcsys/import', 'POST'],
    ['POST', '/datasets/srcsys', 'GET, HEAD'],
    ['DELETE', '/submissions/srcsys/diff', 'GET, HEAD'],
  ])('should answer 405 to %s %s, and allow %s', async (method, path, allow) => {
    const answer = await system.call(method, path, undefined, { 'X-API-Key': '' });
    expect(answer).toMatchObject({ status: 405, body: { more: { code: 'method.not_allowed' } } });
    expect(answer.headers.get('allow')).toBe(allow);
  });

  it('should return the free space for imports', async () => {
    const answer = await system.get('/imports/storage');
    const { free_bytes, reserved_bytes, capacity_bytes } = JSON.parse(answer.text) as Record<string, number>;
    expect(free_bytes).toBeGreaterThan(0);
    expect(reserved_bytes).toBeGreaterThanOrEqual(0);
    expect(capacity_bytes).toBeGreaterThan(Number(free_bytes));
  });

  it('should list submissions with their states in source and storage', async () => {
    const { body } = await system.get('/submissions/srcsys');
    expect(body.total).toBe(3);
    expect(body.items[0]).toEqual({
      ...{ reference: 'SUB-1', held_in: 'source' },
      title: 'One',
      submitter: 'a@example.org',
      submitted_at: null,
      description: null,
      datasets: { total: 2, imported: 1 },
      files: 3,
      bytes: 49,
      modified_at: anyText,
      ready: true,
      state: 'not_imported',
      imported_at: null,
      collection: null,
      missing_datasets: ['DS-2'],
      ...{ problems: [], warnings: [] },
      import: null,
    });
  });

  it('should list datasets with their states, and only datasets that are not imported in the diff', async () => {
    const { body } = await system.get('/datasets/srcsys?submission=SUB-1');
    expect(body.items[0]).toEqual({
      id: 'DS-1',
      ...{ submission: 'SUB-1', held_in: 'both' },
      title: null,
      files: 1,
      bytes: 5,
      ...{ modified_at: anyText, scanned_at: anyText },
      ...{ ready: true, declared_checksums: [] },
      state: 'imported',
      imported_at: anyText,
      path: 'data/raw/DS-1/',
      ...{ problems: [], warnings: [], integrity: { files: 1, compared: 0, algorithms: [], not_compared: [] } },
      import: { id: anyText, state: 'finished' },
    });
    const diff = (await system.get('/datasets/srcsys/diff')).body;
    expect(diff.items.map(({ id }) => id)).toEqual(['DS-2', 'DS-3', 'DS-4', 'DS-4', 'a b']);
    expect((await system.get('/datasets/srcsys?state=imported')).body.total).toBe(1);
    expect((await system.get('/datasets/srcsys?q=ds-3')).body.total).toBe(1);
  });

  it('should show the problems of a dataset and refuse its import', async () => {
    const { items } = (await system.get('/datasets/srcsys?submission=SUB-3')).body;
    expect(items).toMatchObject([
      { id: 'DS-4', problems: ['id.duplicate'] },
      { id: 'a b', problems: ['id.invalid'] },
    ]);
    const duplicate = await system.post('/datasets/srcsys/import', { dataset_id: 'DS-4' });
    expect(duplicate).toMatchObject({ status: 409, body: { more: { code: 'id.duplicate' } } });
    const invalid = await system.post('/datasets/srcsys/import', { dataset_id: 'a b' });
    expect(invalid).toMatchObject({ status: 409, body: { more: { code: 'id.invalid' } } });
  });

  it.each(['/datasets/srcsys', '/submissions/srcsys', '/datasets/srcsys/diff', '/submissions/srcsys/diff'])(
    'should answer 304 to GET %s with the current tag',
    async (path) => {
      const tag = (await system.get(path)).headers.get('etag') ?? '';
      expect((await system.get(path, { 'If-None-Match': tag })).status).toBe(304);
      expect((await system.get(path, { 'If-None-Match': '"other"' })).status).toBe(200);
    },
  );

  it('should return pages with a limit, and lines with Accept: application/x-ndjson', async () => {
    const paged: string[] = [];
    let path: string | null = '/datasets/srcsys?limit=2';
    while (path) {
      const answer = await system.get<'/datasets/srcsys'>(path as '/datasets/srcsys');
      paged.push(...answer.body.items.map(({ id }) => id));
      path = nextPage(answer.headers);
    }
    const lines = await system.get('/datasets/srcsys', { Accept: 'application/x-ndjson' });
    const all = lines.text.trim().split('\n');
    expect(all.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(paged);
    expect(paged).toHaveLength(6);
  });

  it.each([
    ['/datasets/srcsys?limit=0', 'limit'],
    ['/datasets/srcsys?state=gone', 'state'],
    ['/datasets/srcsys?submission=SUB-1&submission=SUB-2', 'submission'],
    ['/datasets/srcsys?cursor=%20', 'cursor'],
    ['/submissions/srcsys/diff?incomplete=maybe', 'incomplete'],
    ['/imports?kind=other', 'kind'],
    ['/imports?limit=0x10', 'limit'],
  ])('should answer 400 to GET %s with the field %s', async (path, field) => {
    expect(await system.get(path)).toMatchObject({ status: 400, body: { more: { fields: [{ field }] } } });
  });

  it.each([
    ['/datasets/srcsys/import', {}, 'dataset_id'],
    ['/datasets/srcsys/import', { dataset_id: 7 }, 'dataset_id'],
    ['/datasets/srcsys/import', { dataset_id: 'DS-2', other: 1 }, 'other'],
    ['/datasets/srcsys/import', { dataset_id: 'DS-2', not_before: '2026-12-01T25:00:00' }, 'not_before'],
    ['/datasets/srcsys/import', { dataset_id: 'DS-2', priority: 0 }, 'priority'],
    ['/datasets/srcsys/import?wait=99', { dataset_id: 'DS-2' }, 'wait'],
    ['/submissions/srcsys/import', {}, 'reference'],
    ['/submissions/srcsys/import', { reference: 'SUB-1', datasets: 'some' }, 'datasets'],
    ['/submissions/srcsys/import', { reference: 'SUB-1', datasets: ['DS-3'] }, 'datasets'],
    ['/submissions/srcsys/import', { reference: 'SUB-1', submission: 'SUB-2' }, 'submission'],
  ])('should answer 400 to POST %s %j with the field %s', async (path, body, field) => {
    expect(await system.post(path, body)).toMatchObject({ status: 400, body: { more: { fields: [{ field }] } } });
  });

  it.each(['', 'nonsense', '[]', '7', '{"a":'])('should answer 400 to the body %j', async (body) => {
    expect((await system.post('/datasets/srcsys/import', body)).status).toBe(400);
  });

  it.each(['DS-99', '../../etc', 'a/b', '.. ', 'x'.repeat(255), 'DS-2\u0000', '.import', 'C:\\x'])(
    'should refuse the unknown dataset %j',
    async (dataset_id) => {
      expect([400, 404]).toContain((await system.post('/datasets/srcsys/import', { dataset_id })).status);
      expect((await system.get(`/datasets/srcsys/${encodeURIComponent(dataset_id)}`)).status).toBeGreaterThanOrEqual(
        400,
      );
    },
  );

  it('should answer 404 for unknown datasets, submissions, imports and paths', async () => {
    for (const path of [
      '/datasets/srcsys?submission=SUB-9',
      '/submissions/srcsys/SUB-9',
      '/imports/none',
      '/nothing',
    ]) {
      expect((await system.get(path)).status).toBe(404);
    }
    expect((await system.get('/datasets/srcsys/DS-2/manifest')).status).toBe(404);
    expect((await system.post('/submissions/srcsys/import', { reference: 'SUB-9' })).status).toBe(404);
    expect((await system.post('/datasets/srcsys/DS-9/verify')).status).toBe(404);
    expect((await system.post('/datasets/srcsys/DS-2/verify')).body.more.code).toBe('import.state');
  });

  it('should plan an import without importing', async () => {
    const { status, body } = await system.post('/datasets/srcsys/import?dry_run=true', { dataset_id: 'DS-2' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ dry_run: true, state: 'not_imported', ready: true, files: 1, bytes: 1, fits: true });
    expect((await system.get('/datasets/srcsys/DS-2')).body.state).toBe('not_imported');
  });

  it('should refuse the import of an incomplete delivery', async () => {
    const strict = await TestSystem.create({ SOURCE_READY_ONLY_MARKER: 'true' });
    await strict.deliver('SUB-1', { 'DS-1/a': '1' });
    await strict.startServer();
    const refused = await strict.post('/datasets/srcsys/import', { dataset_id: 'DS-1' });
    expect(refused).toMatchObject({ status: 409, body: { more: { code: 'source.not_ready' } } });
    expect((await strict.get('/datasets/srcsys/DS-1')).body).toMatchObject({ state: 'not_imported', ready: false });
    await strict.deliver('SUB-1', { '.ready': '' });
    expect((await strict.post('/datasets/srcsys/import', { dataset_id: 'DS-1' })).status).toBe(202);
    await strict.stop();
  });

  it.each(['99%', '900T'])('should answer 507 when less than %s would stay free', async (STORAGE_RESERVE) => {
    const full = await TestSystem.create({ STORAGE_RESERVE });
    await full.deliver('SUB-1', { 'DS-1/a': '1' });
    await full.startServer();
    await full.startWorker();
    const plan = await full.post('/datasets/srcsys/import?dry_run=true', { dataset_id: 'DS-1' });
    expect([plan.status, plan.body]).toMatchObject([200, { fits: false, free_bytes: 0 }]);
    const refused = await full.post('/datasets/srcsys/import', { dataset_id: 'DS-1' });
    expect([refused.status, refused.body.more.code]).toEqual([507, 'storage.no_space']);
    expect((await full.get('/imports')).body.items).toEqual([]);
    await full.stop();
  });

  it('should accept requests without a key when PROVISIONER_AUTH is none', async () => {
    const open = await TestSystem.create({ PROVISIONER_AUTH: 'none' });
    await open.startServer();
    expect((await open.get('/datasets/srcsys', { 'X-API-Key': '' })).status).toBe(200);
    await open.stop();
  });
});
