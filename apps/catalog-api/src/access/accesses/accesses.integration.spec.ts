import { administered, type Administered } from '../../../test/administered.js';

interface Access {
  id: number;
  status: string;
  in_force: boolean;
  person_name: string | null;
  dataset_external_id: string;
}

interface Page {
  items: Access[];
  total: number;
  next_cursor: string | null;
}

describe('/api/admin/accesses', () => {
  let catalog: Administered;
  const path = '/api/admin/accesses';

  beforeAll(async () => {
    catalog = await administered([
      { record: 'user', id: 1, first_name: 'Ada', last_name: 'Byron', subject: 'kc-ada' },
      { record: 'contact', id: 1, first_name: 'Max', last_name: 'Weber' },
      { record: 'dataset', id: 1, external_id: 'RDC_1', uuid: '6f0e8a52-0000-4000-8000-000000000001', name: 'Genomes' },
      { record: 'dataset', id: 2, external_id: 'RDC_2', uuid: '6f0e8a52-0000-4000-8000-000000000002', name: 'Scans' },
      { record: 'endpoint', id: 1, name: 'Portal' },
      { record: 'exposure', id: 1, dataset_id: 1, endpoint_id: 1, form_id: 3 },
      { record: 'access', id: 1, dataset_id: 2, application: 5, subject: 'kc-ada', status: 'active' },
      { record: 'access', id: 2, dataset_id: 2, application: 6, subject: 'kc-nobody', status: 'precreated' },
      { record: 'access', id: 3, dataset_id: 1, contact_id: 1, status: 'active', expires_at: '2001-01-01T00:00:00Z' },
    ]);
  });

  afterAll(() => catalog.stop());

  const ids = async (query: string): Promise<number[]> =>
    (await catalog.send<Page>('GET', `${path}?${query}`)).body.items.map(({ id }) => id);

  const act = async (id: number, action: string): Promise<[number, string]> => {
    const { status, body } = await catalog.send<Access & { more?: { code: string } }>(
      'POST',
      `${path}/${String(id)}/${action}`,
    );
    return [status, body.more?.code ?? body.status];
  };

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', '/1'],
    ['PATCH', '/1'],
    ['POST', '/1/suspend'],
    ['POST', '/1/resume'],
    ['POST', '/1/terminate'],
    ['POST', '/2/retry'],
  ])('should refuse %s /api/admin/accesses%s for every caller except administrators', async (method, rest) => {
    expect(await catalog.refusals(method, `${path}${rest}`)).toEqual(catalog.allRefused);
  });

  it('should list accesses by person, dataset and status, newest first, in pages', async () => {
    expect(await ids('')).toEqual([3, 2, 1]);
    expect(await ids('user_id=1')).toEqual([1]);
    expect(await ids('contact_id=1')).toEqual([3]);
    expect(await ids('subject=kc-nobody')).toEqual([2]);
    expect(await ids('dataset=RDC_2')).toEqual([2, 1]);
    expect(await ids('dataset=1')).toEqual([3]);
    expect(await ids('dataset=RDC_2&status=precreated')).toEqual([2]);
    expect(await ids('q=WEBER')).toEqual([3]);
    expect(await ids('q=rdc_2')).toEqual([2, 1]);
    expect(await ids('q=kc-nobody')).toEqual([2]);
    expect(await ids('q=%25')).toEqual([]);
    expect(await ids('ending=true')).toEqual([]);
    const first = await catalog.send<Page>('GET', `${path}?limit=2`);
    expect(first.body).toMatchObject({ total: 3, items: [{ in_force: false, person_name: 'Max Weber' }, {}] });
    expect(await ids(`limit=2&cursor=${String(first.body.next_cursor)}`)).toEqual([1]);
  });

  it.each([
    ['user_id=x', 'user_id'],
    ['contact_id=0', 'contact_id'],
    ['status=over', 'status'],
    ['dataset=', 'dataset'],
    ['subject=a%00', 'subject'],
    ['ending=soon', 'ending'],
  ])('should refuse the query %s', async (query, field) => {
    expect(await catalog.fieldsRefused('GET', `${path}?${query}`)).toEqual([field]);
  });

  it('should create, suspend, resume and terminate an access, and allow each change twice', async () => {
    const permissions = async (): Promise<unknown> => (await catalog.send('GET', '/api/permissions/kc-ada')).body;
    const input = { dataset: 'RDC_1', user_id: 1, notes: 'by contract' };
    const { status, body } = await catalog.send<Access>('POST', path, input);
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'active', in_force: true, person_name: 'Ada Byron', notes: 'by contract' });
    expect(await permissions()).toEqual(['RDC_1']);
    expect(await catalog.fieldsRefused('POST', path, { ...input, dataset: '1' })).toEqual(['user_id']);
    for (const expected of ['suspended', 'suspended']) expect(await act(body.id, 'suspend')).toEqual([200, expected]);
    expect(await permissions()).toEqual([]);
    for (const expected of ['active', 'active']) expect(await act(body.id, 'resume')).toEqual([200, expected]);
    expect(await permissions()).toEqual(['RDC_1']);
    for (const expected of ['terminated', 'terminated'])
      expect(await act(body.id, 'terminate')).toEqual([200, expected]);
    expect(await permissions()).toEqual([]);
    for (const action of ['suspend', 'resume', 'retry']) {
      expect(await act(body.id, action)).toEqual([409, 'record.conflict']);
    }
    expect(await catalog.trail('accesses', body.id)).toEqual(['create', 'suspend', 'resume', 'terminate']);
    expect((await catalog.send('POST', path, input)).status).toBe(201);
  });

  it('should change the end of an access without an application, and list the access while its end is near', async () => {
    const end = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
    const { body } = await catalog.send<Access>('POST', path, { dataset: 'RDC_2', contact_id: 1, expires_at: end(3) });
    expect(await ids('ending=true')).toEqual([body.id]);
    const address = `${path}/${String(body.id)}`;
    const [later, notes] = [end(60), 'prolonged for the second year'];
    for (let times = 0; times < 2; times++) {
      const { body: after } = await catalog.send('PATCH', address, { expires_at: later, notes });
      expect(after).toMatchObject({ expires_at: later, notes, in_force: true });
    }
    expect(await ids('ending=true')).toEqual([]);
    expect((await catalog.send('PATCH', address, { expires_at: null })).body).toMatchObject({
      expires_at: null,
      notes,
    });
    expect(await catalog.fieldsRefused('PATCH', address, { expires_at: end(-1) })).toEqual(['expires_at']);
    expect(await catalog.fieldsRefused('PATCH', address, { status: 'active' })).toEqual(['status']);
    expect(await catalog.trail('accesses', body.id)).toEqual(['create', 'update', 'update']);
    await act(body.id, 'terminate');
    expect((await catalog.send('PATCH', address, { notes: 'too late' })).status).toBe(409);
  });

  it('should refuse to change the end of an access that belongs to an application', async () => {
    const refused = await catalog.send<{ more: object }>('PATCH', `${path}/1`, { expires_at: '2999-01-01T00:00:00Z' });
    expect(refused.status).toBe(409);
    expect(refused.body.more).toMatchObject({ code: 'record.conflict', application: 5 });
    expect((await catalog.send('PATCH', `${path}/1`, { notes: 'seen' })).body).toMatchObject({ notes: 'seen' });
  });

  it('should retry an access that waits for its person, and leave an active access unchanged', async () => {
    await catalog.dataSource.query('UPDATE accesses SET attempts = 9, next_attempt_at = NULL WHERE id = 2');
    expect((await act(2, 'retry'))[0]).toBe(200);
    expect((await act(2, 'retry'))[0]).toBe(200);
    expect((await catalog.send('GET', `${path}/2`)).body).toMatchObject({ attempts: 0 });
    expect(await act(1, 'retry')).toEqual([200, 'active']);
  });

  it.each([
    [{}, ['dataset']],
    [{ dataset: 'RDC_1' }, ['user_id']],
    [{ dataset: 'RDC_1', user_id: 1, contact_id: 1 }, ['user_id']],
    [{ dataset: 'RDC_1', user_id: 77 }, ['user_id']],
    [{ dataset: 'RDC_1', contact_id: 77 }, ['contact_id']],
    [{ dataset: 'RDC_1', user_id: 1, expires_at: '2001-01-01T00:00:00Z' }, ['expires_at']],
    [{ dataset: 1, user_id: 1 }, ['dataset']],
    [{ dataset: 'RDC_1', user_id: 1, status: 'active' }, ['status']],
  ])('should refuse to create %j', async (body, fields) => {
    expect(await catalog.fieldsRefused('POST', path, body)).toEqual(fields);
  });

  it('should answer 404 for an access that does not exist', async () => {
    expect((await catalog.send('POST', path, { dataset: 'RDC_9', user_id: 1 })).status).toBe(404);
    expect((await catalog.send('GET', `${path}/99`)).status).toBe(404);
    expect((await catalog.send('PATCH', `${path}/99`, {})).status).toBe(404);
    for (const action of ['suspend', 'resume', 'terminate', 'retry']) expect((await act(99, action))[0]).toBe(404);
  });
});
