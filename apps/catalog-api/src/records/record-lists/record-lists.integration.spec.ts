import type { CatalogSchema } from '../../../../../test/support/documented-body.ts';
import { administered, type Administered } from '../../../test/administered.js';
import { signedInWith } from '../../../test/signed-in.js';

type RecordPage = CatalogSchema<'RecordPage'>;

describe('GET /api/admin/{projects,datasets,contracts,partners,cohorts}', () => {
  let catalog: Administered;

  beforeAll(async () => {
    catalog = await administered();
    const send = async (path: string, body: object): Promise<void> => {
      const { status } = await catalog.send('POST', `/api/${path}`, body);
      expect([path, status]).toEqual([path, 201]);
    };
    await send('projects', { acronym: 'ALPHA', name: 'Ageing well', external_id: 'RDC_901' });
    await send('projects', { acronym: 'BETA', name: 'Zebrafish', external_id: 'RDC_902' });
    for (const name of ['élan vital', 'Brain scans', 'Čells', '100% of it']) {
      await send('datasets', { name, project: name === 'Brain scans' ? 'ALPHA' : null });
    }
    await send('contracts', { name: 'Transfer of brains', project_id: (await rows('projects?q=ALPHA'))[0]?.id });
    await send('partners', { name: 'University of Somewhere', acronym: 'UoS' });
    await send('cohorts', { name: 'The thousand' });
    const scans = (await rows('datasets?q=brain'))[0];
    await send(`datasets/${String(scans?.id)}/exposures`, { endpoint: 'Portal of the fixture', form_id: 7 });
  });

  afterAll(() => catalog.stop());

  const page = async (query: string): Promise<RecordPage> => {
    // The pages of all lists have the same type.
    const { status, body } = await catalog.send('GET', `/api/admin/${query as 'projects'}`);
    expect([query, status]).toEqual([query, 200]);
    return body;
  };
  const rows = async (query: string): Promise<RecordPage['items']> => (await page(query)).items;
  const names = async (query: string): Promise<string[]> => (await rows(query)).map(({ name }) => name);

  it('should return the members of a list for each kind of record', async () => {
    const [contract] = await rows('contracts');
    expect(contract).toMatchObject({ name: 'Transfer of brains', project: 'ALPHA', published: null });
    expect(await rows('partners')).toMatchObject([{ acronym: 'UoS', external_id: null, published: false }]);
    expect(await rows('cohorts')).toMatchObject([{ name: 'The thousand', published: false }]);
    expect(await page('projects')).toMatchObject({ total: 2, items: [{ acronym: 'ALPHA' }, { acronym: 'BETA' }] });
    expect(Object.keys((await rows('datasets'))[0] ?? {}).sort()).toEqual([
      'acronym',
      'changed_at',
      'created_at',
      'external_id',
      'id',
      'name',
      'project',
      'project_id',
      'published',
    ]);
  });

  it.each([
    ['datasets?q=ELAN', ['élan vital']],
    ['datasets?q=cells', ['Čells']],
    ['datasets?q=100%25', ['100% of it']],
    ['datasets?q=nothing', []],
    ['projects?q=alpha', ['Ageing well']],
    ['projects?q=RDC_902', ['Zebrafish']],
    ['partners?q=uos', ['University of Somewhere']],
    ['datasets?published=true', ['Brain scans']],
    ['projects?published=true', ['Ageing well']],
    ['projects?published=false', ['Zebrafish']],
    ['partners?published=true', []],
    ['datasets?sort=created', ['élan vital', 'Brain scans', 'Čells', '100% of it']],
    ['datasets?sort=-created', ['100% of it', 'Čells', 'Brain scans', 'élan vital']],
  ])('should return the matching records of %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('should list the datasets and contracts of a project', async () => {
    const [alpha] = await rows('projects?q=ALPHA');
    const id = String(alpha?.id);
    expect(await names(`datasets?project=${id}`)).toEqual(['Brain scans']);
    expect(await names(`contracts?project=${id}`)).toEqual(['Transfer of brains']);
  });

  it.each(['name', '-name', 'created', '-created', 'changed', '-changed'])(
    'should return every record once over all pages when sorted by %s',
    async (sort) => {
      const whole = await names(`datasets?sort=${sort}`);
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const next: RecordPage = await page(`datasets?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`);
        seen.push(...next.items.map(({ name }) => name));
        cursor = next.next_cursor;
      }
      expect(seen).toEqual(whole);
      expect(whole).toHaveLength(4);
    },
  );

  it('should return the records that the caller may read, and refuse a caller with only a key', async () => {
    const seenBy = async (...roles: string[]): Promise<number[]> => {
      const browser = await signedInWith(catalog, ...roles);
      const totals = ['projects', 'datasets', 'contracts', 'partners', 'cohorts'].map(async (list) => {
        const response = await browser.fetch(`/api/admin/${list}`);
        return ((await response.json()) as RecordPage).total;
      });
      return Promise.all(totals);
    };
    expect(await seenBy('auditor')).toEqual([2, 4, 1, 1, 1]);
    expect(await seenBy('legal')).toEqual([0, 0, 1, 1, 0]);
    expect(await seenBy()).toEqual([0, 0, 0, 1, 0]);
    const { 'session without the role': auditor, ...keys } = await catalog.refusals('GET', '/api/admin/datasets');
    expect({ ...keys, 'session without the role': '403 access.denied' }).toEqual(catalog.allRefused);
    expect(auditor).toBe('200 ');
  });

  it.each([
    ['datasets?sort=colour', 'sort'],
    ['datasets?published=perhaps', 'published'],
    ['contracts?project=ALPHA', 'project'],
    ['datasets?limit=0', 'limit'],
    ['datasets?cursor=WyJhIl0', 'cursor'],
    ...[
      '2026-99-01T00:00:00+00:00',
      '2026-02-31T00:00:00+00:00',
      '0000-01-01T00:00:00+00:00',
      '2026-01-01T00:00:00+23:59',
    ].map((instant) => [
      `datasets?sort=created&cursor=${Buffer.from(JSON.stringify([instant, 1])).toString('base64url')}`,
      'cursor',
    ]),
  ])('should refuse the query %s', async (query, field) => {
    expect(await catalog.fieldsRefused('GET', `/api/admin/${query}`)).toEqual([field]);
  });
});
