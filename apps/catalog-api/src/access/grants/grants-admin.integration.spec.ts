import { administered, type Administered } from '../../../test/administered.js';

describe('/api/admin/grants', () => {
  let catalog: Administered;
  const path = '/api/admin/grants';

  beforeAll(async () => {
    catalog = await administered([
      { record: 'user', id: 1, first_name: 'Ada', last_name: 'Byron' },
      { record: 'user', id: 2, first_name: 'Max', last_name: 'Plain' },
      { record: 'project', id: 1, external_id: 'RDC_1', acronym: 'ALPHA', name: 'Alpha' },
      { record: 'dataset', id: 1, external_id: 'RDC_2', uuid: '6f0e8a52-0000-4000-8000-000000000001', name: 'Genomes' },
      { record: 'contract', id: 1, name: 'Agreement', project_id: 1 },
    ]);
  });

  afterAll(() => catalog.stop());

  const seenBy = async (key: string, list: 'projects' | 'datasets' | 'contracts'): Promise<number> => {
    const { body } = await catalog.send('GET', `/api/${list}`, undefined, key);
    return body.items.length;
  };

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['DELETE', '/1'],
  ])('should refuse %s /api/admin/grants%s for every caller except administrators', async (method, rest) => {
    expect(await catalog.refusals(method, `${path}${rest}`)).toEqual(catalog.allRefused);
  });

  describe('of a dataset', () => {
    const grant = (record_id = 'RDC_2') => catalog.send('POST', path, { user_id: 2, resource: 'datasets', record_id });
    const remove = async ({ id }: { readonly id: number }): Promise<number> =>
      (await catalog.send('DELETE', `${path}/${String(id)}`)).status;
    const keyOfUser = async (): Promise<string> => (await catalog.send('POST', '/api/admin/users/2/key')).body.key;

    afterEach(async () => {
      const { body } = await catalog.send('GET', `${path}?user_id=2`);
      for (const each of body.items) await remove(each);
    });

    it('should be returned with the names of the user and the record', async () => {
      const { status, body } = await grant();
      const expected = { user_name: 'Max Plain', record_id: 1, record_name: 'Genomes', granted_by: 'global' };
      expect([status, body]).toEqual([201, expect.objectContaining(expected)]);
    });

    it('should show the dataset to the user until the grant is removed', async () => {
      const key = await keyOfUser();
      expect(await seenBy(key, 'datasets')).toBe(0);
      const { body } = await grant();
      expect(await seenBy(key, 'datasets')).toBe(1);
      await remove(body);
      expect(await seenBy(key, 'datasets')).toBe(0);
    });

    it("should change the tag of the user's list", async () => {
      const key = await keyOfUser();
      const tag = async (): Promise<string | null> =>
        (await catalog.send('GET', '/api/datasets', undefined, key)).headers.get('etag');
      const before = await tag();
      await grant();
      expect(await tag()).not.toBe(before);
    });

    it('should be returned unchanged when it is created again', async () => {
      const { body } = await grant();
      expect((await grant('1')).body).toEqual(body);
    });

    it('should be removed once, with an audit entry', async () => {
      const { body } = await grant();
      expect([await remove(body), await remove(body)]).toEqual([204, 404]);
      expect(await catalog.trail('grants', body.id)).toEqual(['create', 'remove']);
    });
  });

  it('should list grants by user and by record, newest first, in pages', async () => {
    const records = [
      ['projects', 'RDC_1'],
      ['datasets', 'RDC_2'],
      ['contracts', '1'],
    ];
    for (const [resource, record_id] of records) {
      await catalog.send('POST', path, { user_id: 1, resource, record_id });
    }
    const names = async (query: string): Promise<string[]> =>
      (await catalog.send('GET', `${path}?${query}`)).body.items.map(({ record_name }) => record_name);
    expect(await names('user_id=1')).toEqual(['Agreement', 'Genomes', 'ALPHA']);
    expect(await names('resource=projects')).toEqual(['ALPHA']);
    expect(await names('resource=datasets&record_id=1&user_id=1')).toEqual(['Genomes']);
    expect(await names('resource=datasets&record_id=2')).toEqual([]);
    const first = await catalog.send('GET', `${path}?user_id=1&limit=2`);
    expect([first.body.total, first.body.items.length]).toEqual([3, 2]);
    expect(await names(`user_id=1&limit=2&cursor=${String(first.body.next_cursor)}`)).toEqual(['ALPHA']);
  });

  it.each([
    [{}, ['record_id', 'resource', 'user_id']],
    [{ user_id: 7, resource: 'datasets', record_id: '1' }, ['user_id']],
    [{ user_id: '1', resource: 'datasets', record_id: '1' }, ['user_id']],
    [{ user_id: 1, resource: 'partners', record_id: '1' }, ['resource']],
    [{ user_id: 1, resource: 'datasets', record_id: 1 }, ['record_id']],
    [{ user_id: 1, resource: 'datasets', record_id: '1', until: 'ever' }, ['until']],
  ])('should refuse to create %j', async (body, fields) => {
    expect(await catalog.fieldsRefused('POST', path, body)).toEqual(fields);
  });

  it.each([
    ['user_id=x', 'user_id'],
    ['resource=partners', 'resource'],
    ['record_id=1', 'resource'],
    ['resource=projects&record_id=RDC_1', 'record_id'],
  ])('should refuse the query %s', async (query, field) => {
    expect(await catalog.fieldsRefused('GET', `${path}?${query}`)).toEqual([field]);
  });

  it('should answer 404 for a record that does not exist', async () => {
    for (const record_id of ['9', 'RDC_9', '99999999999999']) {
      const given = await catalog.send('POST', path, { user_id: 1, resource: 'datasets', record_id });
      expect(given.status).toBe(404);
    }
  });
});
