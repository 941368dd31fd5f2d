import { administered, type Administered } from '../../../test/administered.js';
import { signedInWith } from '../../../test/signed-in.js';
import type { RecordsOfKind, RecordLinks } from './record-links.dto.js';

type Names = Record<keyof RecordLinks, string[]>;

const none: Names = { projects: [], datasets: [], contracts: [], partners: [], cohorts: [] };

describe('GET /api/admin/links/{list}/{id}', () => {
  let catalog: Administered;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    catalog = await administered();
    const add = async (
      list: 'projects' | 'datasets' | 'contracts' | 'partners' | 'cohorts',
      body: { name: string },
    ) => {
      const { status, body: record } = await catalog.send('POST', `/api/${list}`, body);
      expect([list, status]).toEqual([list, 201]);
      const { id, id_at_source } = record as { id?: number; id_at_source?: string };
      ids[body.name] = String(id_at_source ?? id);
    };
    await add('projects', { acronym: 'ALPHA', name: 'Ageing well' } as never);
    await add('partners', { name: 'Signatory' });
    await add('partners', { name: 'Receiver' });
    await add('partners', { name: 'Institute' });
    await add('cohorts', { name: 'The thousand', institutes: ['Institute'] } as never);
    await add('datasets', {
      name: 'Brain scans',
      project: 'ALPHA',
      data_declarations: [{ title: 'Scans', cohorts: [{ cohort: 'The thousand' }] }],
      transfers: [{ partner: 'Receiver' }],
    } as never);
    await add('datasets', { name: 'Elsewhere' });
    const project_id = Number(ids['Ageing well']);
    await add('contracts', { name: 'Transfer of brains', project_id, partners: [{ partner: 'Signatory' }] } as never);
  });

  afterAll(() => catalog.stop());

  const namesIn = (links: RecordLinks): Names =>
    Object.fromEntries(
      Object.entries(links as unknown as Record<string, RecordsOfKind>).map(([list, { items }]) => [
        list,
        items.map(({ name }) => name),
      ]),
    ) as Names;

  it.each([
    [
      'projects',
      'Ageing well',
      {
        datasets: ['Brain scans'],
        contracts: ['Transfer of brains'],
        partners: ['Signatory'],
        cohorts: ['The thousand'],
      },
    ],
    [
      'datasets',
      'Brain scans',
      {
        projects: ['Ageing well'],
        contracts: ['Transfer of brains'],
        partners: ['Receiver'],
        cohorts: ['The thousand'],
      },
    ],
    ['datasets', 'Elsewhere', {}],
    [
      'contracts',
      'Transfer of brains',
      { projects: ['Ageing well'], datasets: ['Brain scans'], partners: ['Signatory'] },
    ],
    ['partners', 'Signatory', { projects: ['Ageing well'], contracts: ['Transfer of brains'] }],
    ['partners', 'Receiver', { datasets: ['Brain scans'] }],
    ['partners', 'Institute', { cohorts: ['The thousand'] }],
    ['cohorts', 'The thousand', { projects: ['Ageing well'], datasets: ['Brain scans'], partners: ['Institute'] }],
  ])('should return the records that are linked with the %s record %s', async (list, name, expected) => {
    const path = `/api/admin/links/${list}/${ids[name] ?? ''}` as '/api/admin/links/{list}/{id}';
    const { status, body } = await catalog.send('GET', path);
    expect(status).toBe(200);
    expect(namesIn(body as unknown as RecordLinks)).toEqual({ ...none, ...expected });
  });

  it('should contain no record that the person may not read, and no record through such a record', async () => {
    const legal = await signedInWith(catalog, 'legal');
    const cohort = await legal.fetch(`/api/admin/links/partners/${ids['Institute'] ?? ''}`);
    expect(namesIn((await cohort.json()) as RecordLinks)).toEqual(none);
    const person = await signedInWith(catalog);
    const partner = await person.fetch(`/api/admin/links/partners/${ids['Signatory'] ?? ''}`);
    expect(namesIn((await partner.json()) as RecordLinks)).toEqual(none);
    expect((await person.fetch(`/api/admin/links/projects/${ids['Ageing well'] ?? ''}`)).status).toBe(404);
  });

  it.each(['projects/99999', 'terms/1', 'projects/ALPHA', 'projects/99999999999999'])(
    'should return 404 for %s',
    async (path) => {
      expect((await catalog.send('GET', `/api/admin/links/${path}`)).status).toBe(404);
    },
  );
});
