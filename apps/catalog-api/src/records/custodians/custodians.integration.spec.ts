import { administered, type Administered } from '../../../test/administered.js';

interface Users {
  custodians: { id: number }[];
  personnel?: { id: number }[];
}

describe('/api/admin/{projects,datasets,contracts}/:id/custodians', () => {
  let catalog: Administered;

  beforeAll(async () => {
    catalog = await administered([
      { record: 'user', id: 1, first_name: 'Ada', last_name: 'Byron', email: 'ada@example.org' },
      { record: 'user', id: 2, first_name: 'Carl', last_name: 'Gauss' },
      { record: 'project', id: 1, external_id: 'RDC_1', acronym: 'ALPHA', name: 'Alpha', personnel: [2] },
      { record: 'project', id: 2, external_id: 'RDC_4', acronym: 'BETA', name: 'Beta', personnel: [2] },
      {
        record: 'dataset',
        id: 1,
        external_id: 'RDC_2',
        uuid: '6f0e8a52-0000-4000-8000-000000000001',
        name: 'Genomes',
        project_id: 1,
      },
      { record: 'contract', id: 1, name: 'Agreement', project_id: 1 },
      { record: 'endpoint', id: 1, name: 'Portal' },
      { record: 'exposure', id: 1, dataset_id: 1, endpoint_id: 1, form_id: 3 },
    ]);
  });

  afterAll(() => catalog.stop());

  const idsOf = ({ custodians, personnel }: Users): (number[] | undefined)[] => [
    custodians.map(({ id }) => id),
    personnel?.map(({ id }) => id),
  ];

  it.each([
    ['GET', 'projects'],
    ['PUT', 'projects'],
    ['GET', 'datasets'],
    ['PUT', 'datasets'],
    ['GET', 'contracts'],
    ['PUT', 'contracts'],
  ])('should refuse %s for %s when the caller is not an administrator', async (method, resource) => {
    expect(await catalog.refusals(method, `/api/admin/${resource}/1/custodians`)).toEqual(catalog.allRefused);
  });

  it.each([
    ['projects', 'RDC_1'],
    ['datasets', 'RDC_2'],
    ['contracts', '1'],
  ])(
    'should set the custodians of %s, who may then read the record and appear in its document',
    async (resource, id) => {
      const path = `/api/admin/${resource}/${id}/custodians`;
      const { key } = (await catalog.send('POST', '/api/admin/users/1/key')).body;
      const seen = async (): Promise<string> =>
        JSON.stringify((await catalog.send('GET', `/api/${resource}/1`, undefined, key)).body);
      expect(await seen()).toContain('record.unknown');
      for (let times = 0; times < 2; times++) {
        const { status, body } = await catalog.send('PUT', path, { custodians: [2, 1] });
        expect(status).toBe(200);
        expect(idsOf(body)).toEqual([[1, 2], resource === 'projects' ? [2] : undefined]);
      }
      expect(await seen()).toContain('"Byron"');
      expect(idsOf((await catalog.send('GET', path)).body)[0]).toEqual([1, 2]);
      await catalog.send('PUT', path, { custodians: [] });
      expect(await seen()).toContain('record.unknown');
      expect(await catalog.trail(resource, 1)).toEqual(['set-custodians', 'set-custodians']);
    },
  );

  it('should set the personnel of a project, and keep it when the request does not contain personnel', async () => {
    const path = '/api/admin/projects/2/custodians';
    await catalog.send('PUT', path, { custodians: [2], personnel: [1] });
    expect(idsOf((await catalog.send('PUT', path, { custodians: [] })).body)).toEqual([[], [1]]);
  });

  it.each([
    ['projects', {}, ['custodians']],
    ['projects', { custodians: [1, 1] }, ['custodians']],
    ['projects', { custodians: [1], personnel: [77] }, ['personnel']],
    ['projects', { custodians: ['1'] }, ['custodians']],
    ['projects', { custodians: 1 }, ['custodians']],
    ['projects', { custodians: [0] }, ['custodians']],
    ['datasets', { custodians: [1], personnel: [2] }, ['personnel']],
    ['contracts', { custodians: [77] }, ['custodians']],
    ['contracts', { custodians: null }, ['custodians']],
  ])('should refuse the %s body %j and change nothing', async (resource, body, fields) => {
    const path = `/api/admin/${resource}/1/custodians`;
    const before = (await catalog.send('GET', path)).body;
    expect(await catalog.fieldsRefused('PUT', path, body)).toEqual(fields);
    expect((await catalog.send('GET', path)).body).toEqual(before);
  });

  it.each(['projects/9', 'datasets/RDC_9', 'contracts/RDC_1', 'contracts/99999999999'])(
    'should answer 404 for %s',
    async (record) => {
      const path = `/api/admin/${record}/custodians`;
      expect((await catalog.send('GET', path)).status).toBe(404);
      expect((await catalog.send('PUT', path, { custodians: [] })).status).toBe(404);
    },
  );
});
