import { administered, type Administered } from '../../../test/administered.js';

interface Platform {
  id: number;
  name: string;
  public: boolean;
  datasets: number;
}

describe('/api/admin/platforms', () => {
  let catalog: Administered;
  const path = '/api/admin/platforms';

  beforeAll(async () => {
    catalog = await administered([
      { record: 'platform', id: 1, name: 'Atlas' },
      {
        record: 'dataset',
        id: 1,
        external_id: 'RDC_2',
        uuid: '6f0e8a52-0000-4000-8000-000000000001',
        name: 'Genomes',
        storages: [{ platform_id: 1, location: '/atlas/genomes' }],
      },
    ]);
  });

  afterAll(() => catalog.stop());

  it.each([
    ['GET', ''],
    ['POST', ''],
    ['GET', '/1'],
    ['PATCH', '/1'],
    ['DELETE', '/1'],
  ])('should refuse %s /api/admin/platforms%s when the caller is not an administrator', async (method, rest) => {
    expect(await catalog.refusals(method, `${path}${rest}`)).toEqual(catalog.allRefused);
  });

  const create = (name: string) => catalog.send('POST', path, { name, public: true });
  const pathOf = ({ id }: Platform): string => `${path}/${String(id)}`;

  it('should create a platform with the given members', async () => {
    const { status, body } = await create('Boreas');
    expect([status, body]).toEqual([201, expect.objectContaining({ name: 'Boreas', public: true, datasets: 0 })]);
    expect((await catalog.send('GET', pathOf(body))).body).toEqual(body);
  });

  it('should find a platform by a part of its name, without accents', async () => {
    const { body } = await create('Zephyrus');
    const listed = await catalog.send('GET', `${path}?q=z%C3%A9ph`);
    expect(listed.body).toMatchObject({ items: [{ id: body.id }], total: 1 });
  });

  it('should change only the given members, with one audit entry when the change is repeated', async () => {
    const { body } = await create('Eurus');
    for (let times = 0; times < 2; times++) {
      const changed = await catalog.send('PATCH', pathOf(body), { name: 'Vulturnus' });
      expect(changed.body).toMatchObject({ name: 'Vulturnus', public: true });
    }
    expect(await catalog.trail('platforms', body.id)).toEqual(['create', 'update']);
  });

  it('should refuse the name of another platform', async () => {
    const { body } = await create('Notus');
    expect(await catalog.fieldsRefused('POST', path, { name: 'Atlas' })).toEqual(['name']);
    expect(await catalog.fieldsRefused('PATCH', pathOf(body), { name: 'Atlas' })).toEqual(['name']);
  });

  it('should remove a platform once, with an audit entry', async () => {
    const { body } = await create('Brief');
    expect((await catalog.send('DELETE', pathOf(body))).status).toBe(204);
    expect((await catalog.send('DELETE', pathOf(body))).status).toBe(404);
    expect(await catalog.trail('platforms', body.id)).toEqual(['create', 'remove']);
  });

  it('should show the paths on a platform to endpoints when the platform becomes public', async () => {
    const publicStorages = async (): Promise<string | undefined> => {
      const rows = await catalog.dataSource.query<{ public_storages: string }[]>(
        'SELECT public_storages FROM dataset_documents WHERE id = 1',
      );
      return rows[0]?.public_storages;
    };
    expect(await publicStorages()).not.toContain('/atlas/genomes');
    await catalog.send('PATCH', `${path}/1`, { public: true });
    expect(await publicStorages()).toContain('/atlas/genomes');
  });

  it('should not remove a platform with copies of datasets', async () => {
    const refused = await catalog.send('DELETE', `${path}/1`);
    expect([refused.status, refused.body.more]).toEqual([
      400,
      expect.objectContaining({ code: 'record.in_use', users: { datasets: 1 } }),
    ]);
  });

  it.each([
    [{}, ['name']],
    [{ name: '' }, ['name']],
    [{ name: 'x'.repeat(10_001) }, ['name']],
    [{ name: 'x', public: 1 }, ['public']],
    [{ name: 'x', path: '/' }, ['path']],
  ])('should refuse to create the platform %j', async (body, fields) => {
    expect(await catalog.fieldsRefused('POST', path, body)).toEqual(fields);
  });

  it('should answer 404 for an unknown platform', async () => {
    expect((await catalog.send('GET', `${path}/999`)).status).toBe(404);
    expect((await catalog.send('PATCH', `${path}/x`, {})).status).toBe(404);
  });
});
