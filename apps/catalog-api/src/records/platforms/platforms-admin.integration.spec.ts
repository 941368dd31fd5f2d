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

  it('should create, list, update and remove a platform and audit each change', async () => {
    const { status, body } = await catalog.send<Platform>('POST', path, { name: 'Boreas', public: true });
    expect([status, body]).toEqual([201, expect.objectContaining({ name: 'Boreas', public: true, datasets: 0 })]);
    expect(await catalog.fieldsRefused('POST', path, { name: 'Boreas' })).toEqual(['name']);
    const listed = await catalog.send<{ items: Platform[]; total: number }>('GET', `${path}?q=b%C3%B6r`);
    expect(listed.body).toMatchObject({ items: [{ id: body.id }], total: 1 });
    const own = `${path}/${String(body.id)}`;
    for (let times = 0; times < 2; times++) {
      expect((await catalog.send<Platform>('PATCH', own, { name: 'Borealis' })).body).toMatchObject({
        name: 'Borealis',
        public: true,
      });
    }
    expect((await catalog.send<Platform>('GET', own)).body.name).toBe('Borealis');
    expect(await catalog.fieldsRefused('PATCH', own, { name: 'Atlas' })).toEqual(['name']);
    expect((await catalog.send('DELETE', own)).status).toBe(204);
    expect((await catalog.send('DELETE', own)).status).toBe(404);
    expect(await catalog.trail('platforms', body.id)).toEqual(['create', 'update', 'remove']);
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
    const refused = await catalog.send<{ more: object }>('DELETE', `${path}/1`);
    expect([refused.status, refused.body.more]).toEqual([
      400,
      expect.objectContaining({ code: 'record.in_use', users: { datasets: 1 } }),
    ]);
  });

  it.each([
    [{}, ['name']],
    [{ name: '' }, ['name']],
    [{ name: 'x'.repeat(201) }, ['name']],
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
