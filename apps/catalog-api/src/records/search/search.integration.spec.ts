import { jest } from '@jest/globals';
import { Client } from 'pg';
import type { CatalogSchema } from '../../../../../test/support/documented-body.ts';
import { administered, type Administered } from '../../../test/administered.js';
import { signedInAs, signedInWith } from '../../../test/signed-in.js';
import type { Browser } from '../../../test/support/browser.js';
import { TermsRepository } from '../terms/terms.repository.js';

type Answer = CatalogSchema<'SearchResponse'>;
type Facets = CatalogSchema<'FacetResponse'>;

const declaration = {
  title: 'Clinical data',
  data_types: ['Imaging'],
  access_category: 'controlled_access',
  subjects_category: 'cases',
  de_identification: 'pseudonymization',
  cohorts: [{ cohort: 'Luxembourg ageing' }],
  use_conditions: [
    { use_class: 'DS', use_class_note: "Parkinson's disease (DOID:14330)", use_condition_rule: 'PERMISSION' },
  ],
};

describe('GET /api/admin/search', () => {
  let catalog: Administered;
  let holder: Browser;
  let stranger: Browser;

  beforeAll(async () => {
    catalog = await administered();
    const terms = catalog.app.get(TermsRepository);
    await terms.replace('disease', [
      { termId: 'DOID:14330', label: "Parkinson's disease", synonyms: ['Paralysis agitans', 'PD'] },
      { termId: 'DOID:10652', label: "Alzheimer's disease", synonyms: [] },
    ]);
    const send = async (path: string, body: object): Promise<string> => {
      const { status, headers } = await catalog.send('POST', `/api/${path}`, body);
      expect([path, status]).toEqual([path, 201]);
      return headers.get('location')?.split('/').at(-1) ?? '';
    };
    await send('cohorts', { name: 'Luxembourg ageing', description: 'Followed from birth' });
    await send('projects', { acronym: 'SEEN', name: 'Études du sommeil', external_id: 'RDC_1' });
    await send('projects', { acronym: 'HIDDEN', name: 'Sommeil profond', external_id: 'RDC_2' });
    const storages = [{ platform: 'Vault', location: '/vault/walk', category: 'master', accesses: [] }];
    await catalog.send('POST', '/api/admin/platforms', { name: 'Vault', public: false });
    const scans = { name: 'Walking', description: 'Gait of öffentliche Läufer', data_declarations: [declaration] };
    const seen = await send('datasets', { ...scans, external_id: 'RDC_11', project: 'SEEN', storages });
    await send('datasets', { ...scans, name: 'Walking in secret', external_id: 'RDC_12', project: 'HIDDEN' });
    await send('datasets', { name: '人脑研究数据', external_id: 'RDC_110', project: 'HIDDEN' });
    await send('datasets', { name: 'About RDC_11 and RDC_110', external_id: 'RDC_5', project: 'HIDDEN' });
    await send('contracts', { name: 'Transfer', comments: 'Sleepless nights', project_id: null });
    await send('partners', { name: 'University of Somewhere', acronym: 'UoS' });
    const [{ id }] = await catalog.dataSource.query<[{ id: number }]>(
      `INSERT INTO users (first_name, last_name) VALUES ('Zoë', 'Holder') RETURNING id`,
    );
    const grant = { user_id: id, resource: 'datasets', record_id: seen };
    expect(await catalog.send('POST', '/api/admin/grants', grant)).toMatchObject({ status: 201 });
    holder = await signedInAs(catalog, id);
    stranger = await signedInWith(catalog);
  });

  afterAll(() => catalog.stop());

  const namesIn = ({ groups }: Answer): Record<string, string[]> =>
    Object.fromEntries(groups.map(({ kind, items }) => [kind, items.map(({ name }) => name)]));
  const answerOf = async (q: string, more = ''): Promise<Answer> =>
    (await catalog.send('GET', `/api/admin/search?q=${encodeURIComponent(q)}${more}` as '/api/admin/search')).body;
  const found = async (q: string): Promise<Record<string, string[]>> => namesIn(await answerOf(q));
  const foundBy = async (browser: Browser, q: string): Promise<Record<string, string[]>> =>
    namesIn((await (await browser.fetch(`/api/admin/search?q=${encodeURIComponent(q)}`)).json()) as Answer);

  const walking = ['Walking', 'Walking in secret'];

  it.each([
    ['a word of a term', 'Parkinson', walking],
    ['a synonym of a term', 'paralysis agitans', walking],
    ['a short synonym of a term', 'pd', walking],
    ['the identifier of a term', 'DOID:14330', walking],
    ['the start of a word', 'parki', walking],
    ['words without accents', 'laufer OFFENTLICHE', walking],
    ['the name of a cohort', 'luxembourg ageing', walking],
    ['the acronym of a project', 'seen', ['Walking']],
    ['a location', '/vault/walk', ['Walking']],
    ['a platform', 'vault', ['Walking']],
    ['letters within a name without spaces', '脑', ['人脑研究数据']],
    ['letters of a name that are no word', 'alkin', walking],
    ['a data type', 'imaging', walking],
  ])('should find datasets by %s', async (_, q, expected) => {
    expect((await found(q))['datasets']).toEqual(expected);
  });

  it.each([
    ['projects', 'etudes'],
    ['contracts', 'sleepless'],
    ['cohorts', 'birth'],
    ['partners', 'uos'],
    ['terms', 'agitans'],
    ['people', 'zoe'],
  ])('should find %s by "%s"', async (kind, q) => {
    expect((await found(q))[kind]).toHaveLength(1);
  });

  it.each(['%', '_', `'`, `'; DROP TABLE terms --`, `a' | 'b`, '\\', '(', '!:*&', '<->', '\u{1f600}', 'q'.repeat(200)])(
    'should find nothing by %j',
    async (q) => {
      expect(await answerOf(q)).toEqual({ groups: [] });
    },
  );

  it('should not match a value of a closed list', async () => {
    expect(await found('pseudonymization')).toEqual({});
  });

  it.each(['RDC_11', 'rdc_11'])('should return the record with the accession %s first', async (q) => {
    const { groups } = await answerOf(q);
    expect(groups[0]).toMatchObject({ kind: 'datasets', items: [{ external_id: 'RDC_11' }, {}, {}] });
  });

  it('should return the kind with the exact accession first', async () => {
    expect((await answerOf('RDC_2')).groups.map(({ kind }) => kind)).toEqual(['projects', 'datasets']);
  });

  it('should return the matches of a list in the same order, page by page', async () => {
    const pages: string[] = [];
    let cursor = '';
    do {
      const path = `/api/admin/datasets?q=rdc_11&limit=1${cursor}` as '/api/admin/datasets';
      const { body } = await catalog.send('GET', path);
      pages.push(...body.items.map(({ name }) => name));
      cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
    } while (cursor !== '');
    expect(pages).toEqual((await found('rdc_11'))['datasets']);
  });

  it('should state whether a kind has more matches', async () => {
    expect((await answerOf('walking', '&limit=1')).groups).toMatchObject([
      { items: [{ name: 'Walking' }], more: true },
    ]);
    expect((await answerOf('walking', '&limit=2')).groups).toMatchObject([{ more: false }]);
  });

  it.each([
    ['', 'q'],
    ['?q=%20', 'q'],
    ['?q=a%00b', 'q'],
    [`?q=${'a'.repeat(201)}`, 'q'],
    ['?q=a&limit=21', 'limit'],
    ['?q=a&kind=datasets', 'kind'],
  ])('should refuse the query "%s"', async (query, field) => {
    expect(await catalog.fieldsRefused('GET', `/api/admin/search${query}`)).toEqual([field]);
  });

  it('should refuse a caller without a session', async () => {
    const { 'session without the role': session, ...keys } = await catalog.refusals('GET', '/api/admin/search?q=a');
    expect({ ...keys, 'session without the role': '403 access.denied' }).toEqual(catalog.allRefused);
    expect(session).toBe('200 ');
  });

  describe('for callers who may not read every record', () => {
    it.each(['Parkinson', 'paralysis agitans', 'walking', 'RDC_11', 'rdc', 'vault', 'luxembourg ageing'])(
      'should find only the records of the caller by "%s"',
      async (q) => {
        const { datasets, projects, contracts, cohorts, people } = await foundBy(holder, q);
        expect({ datasets, projects, contracts, cohorts, people }).toEqual({ datasets: ['Walking'] });
      },
    );

    it.each(['Walking in secret', 'RDC_12', 'RDC_2', 'HIDDEN', 'sleepless', 'birth', 'Zoë', 'root', '人脑'])(
      'should find nothing hidden by "%s"',
      async (q) => {
        expect(await foundBy(stranger, q)).toEqual({});
        const { total } = (await (await stranger.fetch(`/api/admin/datasets?q=${q}`)).json()) as { total: number };
        expect(total).toBe(0);
      },
    );

    it('should find terms and partners', async () => {
      expect(await foundBy(stranger, 'parkinson')).toEqual({ terms: ["Parkinson's disease"] });
      expect(await foundBy(stranger, 'somewhere')).toEqual({ partners: ['University of Somewhere'] });
    });

    it('should read no index over hidden records', async () => {
      const query = jest.spyOn(Client.prototype, 'query');
      await foundBy(holder, 'parkinson');
      const statements = (query.mock.calls as unknown as [statement: unknown][]).map(([each]) => String(each));
      query.mockRestore();
      const ofDatasets = statements.filter((each) => /FROM datasets AS record JOIN dataset_documents/.test(each));
      expect(ofDatasets).toHaveLength(1);
      // A match is a condition on the visible row, never a set of ids of all matching records.
      expect(ofDatasets[0]).toMatch(/OR document\.words @@/);
      expect(ofDatasets[0]).not.toMatch(/SELECT id FROM dataset_documents WHERE words/);
    });
  });

  describe('GET /api/admin/{list}/facets', () => {
    const facetsOf = async (path: string): Promise<Facets> =>
      (await catalog.send('GET', `/api/admin/${path}` as '/api/admin/datasets/facets')).body;
    const named = ({ facets }: Facets): Record<string, string[]> =>
      Object.fromEntries(
        facets.map(({ name, values }) => [name, values.map(({ label, count }) => `${label}: ${String(count)}`)]),
      );

    it('should count the values of the datasets', async () => {
      const facets = await facetsOf('datasets/facets');
      expect(facets).toMatchObject({ counted: 4, complete: true });
      expect(named(facets)).toEqual({
        project: ['HIDDEN: 3', 'SEEN: 1'],
        cohort: ['Luxembourg ageing: 2'],
        access: ['controlled_access: 2'],
        data_type: ['Imaging: 2'],
        consent: ['Disease-specific Research and Clinical Care.: 2'],
        custodian: [],
        published: ['false: 4'],
      });
    });

    it.each(['project', 'cohort', 'access', 'data_type', 'consent', 'published'])(
      'should return as many datasets as the facet %s counts',
      async (name) => {
        const { facets } = await facetsOf('datasets/facets');
        const values = facets.find((facet) => facet.name === name)?.values ?? [];
        expect(values.length).toBeGreaterThan(0);
        for (const { value, count } of values) {
          const path = `/api/admin/datasets?${name}=${encodeURIComponent(value)}` as '/api/admin/datasets';
          expect((await catalog.send('GET', path)).body.total).toBe(count);
        }
      },
    );

    it.each(['projects', 'contracts', 'partners', 'cohorts'])('should count the values of %s', async (list) => {
      expect(await facetsOf(`${list}/facets`)).toMatchObject({ complete: true });
    });

    it('should count the same search that the list returns', async () => {
      expect(named(await facetsOf('datasets/facets?q=parkinson&project=1'))).toMatchObject({ project: ['SEEN: 1'] });
    });

    it('should count only the records that the caller may read', async () => {
      const facets = (await (await holder.fetch('/api/admin/datasets/facets?q=walking')).json()) as Facets;
      expect(named(facets)).toMatchObject({ project: ['SEEN: 1'], cohort: ['Luxembourg ageing: 1'] });
    });

    it.each([
      ['datasets/facets?access=secret', 'access'],
      ['datasets/facets?custodian=Ada', 'custodian'],
      ['cohorts/facets?project=1', 'project'],
    ])('should refuse the query %s', async (query, field) => {
      expect(await catalog.fieldsRefused('GET', `/api/admin/${query}`)).toEqual([field]);
    });
  });
});
