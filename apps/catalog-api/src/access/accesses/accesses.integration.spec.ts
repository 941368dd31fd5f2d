import { administered, type Administered } from '../../../test/administered.js';

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
      { record: 'dataset', id: 3, external_id: 'RDC_3', uuid: '6f0e8a52-0000-4000-8000-000000000003', name: 'Trials' },
      { record: 'exposure', id: 2, dataset_id: 3, endpoint_id: 1, form_id: 3 },
      { record: 'access', id: 1, dataset_id: 2, application: 5, subject: 'kc-ada', status: 'active' },
      { record: 'access', id: 2, dataset_id: 2, application: 6, subject: 'kc-nobody', status: 'precreated' },
      { record: 'access', id: 3, dataset_id: 1, contact_id: 1, status: 'active', expires_at: '2001-01-01T00:00:00Z' },
    ]);
  });

  afterAll(() => catalog.stop());

  const ids = async (query: string): Promise<number[]> =>
    (await catalog.send('GET', `${path}?${query}`)).body.items.map(({ id }) => id);

  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

  const createUser = async (subject: string): Promise<number> => {
    const user = { first_name: 'Ada', last_name: subject, subject };
    return (await catalog.send('POST', '/api/admin/users', user)).body.id;
  };

  const createAccess = async (input: object) => {
    const { status, body } = await catalog.send('POST', path, { dataset: 'RDC_3', ...input });
    expect(status).toBe(201);
    return body;
  };

  const act = async (id: number, action: string): Promise<[number, string]> => {
    const { status, body } = await catalog.send('POST', `${path}/${String(id)}/${action}`);
    return [status, status === 200 ? body.status : body.more.code];
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

  it.each([
    ['user_id=1', [1]],
    ['contact_id=1', [3]],
    ['subject=kc-nobody', [2]],
    ['dataset=RDC_2', [2, 1]],
    ['dataset=1', [3]],
    ['dataset=RDC_2&status=precreated', [2]],
    ['q=WEBER', [3]],
    ['q=rdc_2', [2, 1]],
    ['q=kc-nobody', [2]],
    ['q=%25', []],
    ['dataset=RDC_2&ending=true', []],
  ])('should list the accesses that match %s, newest first', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  it('should list accesses in pages with the total number', async () => {
    const { body } = await catalog.send('GET', `${path}?dataset=RDC_2&limit=1`);
    expect([body.total, body.items.map(({ id }) => id)]).toEqual([2, [2]]);
    expect(await ids(`dataset=RDC_2&limit=1&cursor=${String(body.next_cursor)}`)).toEqual([1]);
  });

  it('should list an access as not in force when the access has ended', async () => {
    const { body } = await catalog.send('GET', `${path}?contact_id=1`);
    expect(body.items).toMatchObject([{ in_force: false, person_name: 'Max Weber' }]);
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

  it('should create an access and refuse a second one for the same person and dataset', async () => {
    const input = { dataset: 'RDC_3', user_id: await createUser('kc-first'), notes: 'by contract' };
    const { status, body } = await catalog.send('POST', path, input);
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'active', in_force: true, person_name: 'Ada kc-first', notes: 'by contract' });
    expect(await catalog.fieldsRefused('POST', path, { ...input, dataset: '3' })).toEqual(['user_id']);
  });

  it('should permit a person to use the dataset while the access is active', async () => {
    const permissions = async (): Promise<unknown> => (await catalog.send('GET', '/api/permissions/kc-used')).body;
    const { id } = await createAccess({ user_id: await createUser('kc-used') });
    expect(await permissions()).toEqual(['RDC_3']);
    await act(id, 'suspend');
    expect(await permissions()).toEqual([]);
    await act(id, 'resume');
    expect(await permissions()).toEqual(['RDC_3']);
    await act(id, 'terminate');
    expect(await permissions()).toEqual([]);
  });

  it('should record each change of the status once in the audit trail when it is requested twice', async () => {
    const { id } = await createAccess({ user_id: await createUser('kc-twice') });
    const changes = { suspend: 'suspended', resume: 'active', terminate: 'terminated' };
    for (const [action, status] of Object.entries(changes)) {
      expect([await act(id, action), await act(id, action)]).toEqual([
        [200, status],
        [200, status],
      ]);
    }
    expect(await catalog.trail('accesses', id)).toEqual(['create', 'suspend', 'resume', 'terminate']);
  });

  it.each(['suspend', 'resume', 'retry'])('should refuse to %s an access that is terminated', async (action) => {
    const { id } = await createAccess({ user_id: await createUser(`kc-ended-${action}`) });
    await act(id, 'terminate');
    expect(await act(id, action)).toEqual([409, 'record.conflict']);
  });

  it('should create a new access when the previous access of the person is terminated', async () => {
    const user_id = await createUser('kc-again');
    const { id } = await createAccess({ user_id });
    await act(id, 'terminate');
    expect((await createAccess({ user_id })).status).toBe('active');
  });

  it('should list an access as ending only while its end is near', async () => {
    const user_id = await createUser('kc-ending');
    const { id } = await createAccess({ user_id, expires_at: inDays(3) });
    expect(await ids(`user_id=${String(user_id)}&ending=true`)).toEqual([id]);
    await catalog.send('PATCH', `${path}/${String(id)}`, { expires_at: inDays(60) });
    expect(await ids(`user_id=${String(user_id)}&ending=true`)).toEqual([]);
  });

  it('should change the end and the notes of an access, and record a repeated change once', async () => {
    const { id } = await createAccess({ user_id: await createUser('kc-prolonged'), expires_at: inDays(3) });
    const changes = { expires_at: inDays(60), notes: 'prolonged for the second year' };
    for (let times = 0; times < 2; times++) {
      expect((await catalog.send('PATCH', `${path}/${String(id)}`, changes)).body).toMatchObject(changes);
    }
    expect(await catalog.trail('accesses', id)).toEqual(['create', 'update']);
  });

  it('should remove the end of an access and keep its notes when the new end is null', async () => {
    const { id } = await createAccess({
      user_id: await createUser('kc-endless'),
      expires_at: inDays(3),
      notes: 'kept',
    });
    const { body } = await catalog.send('PATCH', `${path}/${String(id)}`, { expires_at: null });
    expect(body).toMatchObject({ expires_at: null, notes: 'kept' });
  });

  it.each([
    ['an end in the past', { expires_at: '2001-01-01T00:00:00Z' }, ['expires_at']],
    ['a status', { status: 'active' }, ['status']],
  ])('should refuse to change an access to %s', async (_, changes, fields) => {
    expect(await catalog.fieldsRefused('PATCH', `${path}/3`, changes)).toEqual(fields);
  });

  it('should refuse to change an access that is terminated', async () => {
    const { id } = await createAccess({ user_id: await createUser('kc-late') });
    await act(id, 'terminate');
    expect((await catalog.send('PATCH', `${path}/${String(id)}`, { notes: 'too late' })).status).toBe(409);
  });

  it('should refuse to change the end of an access that belongs to an application', async () => {
    const refused = await catalog.send('PATCH', `${path}/1`, { expires_at: '2999-01-01T00:00:00Z' });
    expect(refused.status).toBe(409);
    expect(refused.body.more).toMatchObject({ code: 'record.conflict', application: 5 });
  });

  it('should change the notes of an access that belongs to an application', async () => {
    expect((await catalog.send('PATCH', `${path}/1`, { notes: 'seen' })).body).toMatchObject({ notes: 'seen' });
  });

  it('should reset the attempts when an access that waits for its person is retried', async () => {
    await catalog.dataSource.query('UPDATE accesses SET attempts = 9, next_attempt_at = NULL WHERE id = 2');
    expect((await act(2, 'retry'))[0]).toBe(200);
    expect((await act(2, 'retry'))[0]).toBe(200);
    expect((await catalog.send('GET', `${path}/2`)).body).toMatchObject({ attempts: 0 });
  });

  it('should leave an access unchanged when an active access is retried', async () => {
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

  it('should answer 404 when the dataset of a new access does not exist', async () => {
    expect((await catalog.send('POST', path, { dataset: 'RDC_9', user_id: 1 })).status).toBe(404);
  });

  it('should answer 404 when the access does not exist', async () => {
    expect((await catalog.send('GET', `${path}/99`)).status).toBe(404);
    expect((await catalog.send('PATCH', `${path}/99`, {})).status).toBe(404);
    for (const action of ['suspend', 'resume', 'terminate', 'retry']) expect((await act(99, action))[0]).toBe(404);
  });
});
