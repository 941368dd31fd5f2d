import { problemsIn, startWritableCatalog, type Document, type WritableCatalog } from '../../../test/writing.js';

describe('POST, PUT and PATCH /api/datasets', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog();
    await catalog.fill([
      { record: 'user', id: 1, email: 'ada@example.org', first_name: 'Ada', last_name: 'Byron' },
      { record: 'partner', id: 1, name: 'Provider', acronym: 'PRO' },
      { record: 'cohort', id: 1, external_id: 'C-1', name: 'Cohort' },
      { record: 'platform', id: 1, name: 'Server' },
      { record: 'project', id: 1, external_id: 'P-1', acronym: 'ALPHA', name: 'Alpha' },
      { record: 'project', id: 2, external_id: 'P-2', acronym: 'BETA', name: 'Beta' },
    ]);
  });

  afterAll(() => catalog.stop());

  let counter = 0;
  const aDataset = (members: Document = {}): Document => ({ name: `Dataset ${String(++counter)}`, ...members });
  const aDeclaration = (members: Document = {}): Document => ({ data_declarations: [{ title: 'One', ...members }] });

  const full = {
    description: 'Text',
    uuid: '3A11FC66-2433-4c2a-98e1-39167c3a3848',
    other_external_id: 'doi:1',
    project: 'ALPHA',
    data_declarations: [
      {
        title: 'Genomes',
        cohorts: [{ cohort: 'Cohort' }, { cohort_external_id: 'C-1' }],
        data_types: ['Samples', 'Genomes', 'Samples'],
        access_category: 'controlled_access',
        subjects_category: 'cases',
        de_identification: 'anonymization',
        consent_status: 'homogeneous',
        has_special_subjects: false,
        embargo_date: '2030-02-28',
        use_conditions: [{ use_class: 'DS', use_class_note: 'Parkinson', use_class_label: 'ignored' }],
      },
      { title: 'Phenotypes' },
    ],
    legal_bases: [
      { legal_basis_codes: ['6.1(a)'], personal_data_codes: ['Health'], data_declarations: ['Phenotypes', 'Genomes'] },
    ],
    storages: [{ platform: 'Server', location: '/a', category: 'backup', accesses: ['note', ''] }],
    transfers: [{ partner: 'PRO', transfer_date: '2020-02-29' }],
    metadata: { a: 1 },
  };

  it('should store every member of a document and assign an accession', async () => {
    const created = await catalog.send('POST', '/api/datasets', aDataset(full));
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toMatch(/^\/api\/datasets\/RDC_\d+$/);
    expect(created.body).toMatchObject({
      external_id: expect.stringMatching(/^RDC_\d+$/) as string,
      uuid: full.uuid.toLowerCase(),
      project: 'ALPHA',
      project_external_id: 'P-1',
      data_declarations: [
        {
          cohorts: [{ cohort: 'Cohort', cohort_external_id: 'C-1' }],
          data_types: ['Genomes', 'Samples'],
          use_conditions: [
            { use_class_label: 'Disease-specific Research and Clinical Care.', use_condition_rule: 'PROHIBITION' },
          ],
        },
        { title: 'Phenotypes', subjects_category: 'cases_and_controls', use_conditions: [] },
      ],
      legal_bases: [{ data_declarations: ['Genomes', 'Phenotypes'] }],
      storages: full.storages,
      transfers: [{ partner: 'Provider', transfer_date: '2020-02-29' }],
    });
  });

  it('should assign the accession after the highest one when a document has none', async () => {
    await catalog.send('POST', '/api/datasets', aDataset({ external_id: 'RDC_5000' }));
    expect((await catalog.send('POST', '/api/datasets', aDataset())).body['external_id']).toBe('RDC_5001');
  });

  it('should assign no earlier accession when a document has a lower one', async () => {
    await catalog.send('POST', '/api/datasets', aDataset({ external_id: 'RDC_3000' }));
    const { body: first } = await catalog.send('POST', '/api/datasets', aDataset());
    await catalog.send('POST', '/api/datasets', aDataset({ external_id: 'RDC_17' }));
    const { body: next } = await catalog.send('POST', '/api/projects', { acronym: 'NEXT' });
    const numberOf = ({ external_id }: Document): number => Number(String(external_id).slice('RDC_'.length));
    expect(numberOf(next)).toBe(numberOf(first) + 1);
  });

  it('should prefer the accession of a project when a document has its acronym as well', async () => {
    const members = { project: 'ALPHA', project_external_id: 'P-2' };
    expect((await catalog.send('POST', '/api/datasets', aDataset(members))).body).toMatchObject({ project: 'BETA' });
  });

  it.each([
    [{ project: 'ALPHA' }, { project: 'ALPHA', project_external_id: 'P-1' }],
    [{ project_external_id: 'P-1' }, { project: 'ALPHA', project_external_id: 'P-1' }],
    [{ project: null }, { project: null, project_external_id: null }],
  ])('should change the project of a dataset when a PATCH has %j', async (change, expected) => {
    const { body } = await catalog.send('POST', '/api/datasets', aDataset({ project: 'BETA' }));
    const path = `/api/datasets/${String(body['external_id'])}`;
    expect((await catalog.send('PATCH', path, change)).body).toMatchObject(expected);
  });

  it('should keep the custodians of a dataset when a document changes the contacts', async () => {
    const created = await catalog.send('POST', '/api/datasets', aDataset());
    const path = `/api/datasets/${String(created.body['id_at_source'])}`;
    await catalog.dataSource.query('INSERT INTO dataset_custodians VALUES ($1, 1)', [created.body['id_at_source']]);
    await catalog.documents.rebuildAll();
    const eve = {
      first_name: 'Eve',
      last_name: 'X',
      email: null,
      role: 'Principal_Investigator',
      affiliations: [],
    };
    for (const contacts of [[], [eve]]) {
      const { status, body } = await catalog.send('PUT', path, {
        name: created.body['name'],
        contacts,
        description: 'x',
      });
      expect([status, body['contacts']]).toEqual([200, [expect.objectContaining({ first_name: 'Ada' })]]);
    }
  });

  it('should keep the partner of a data declaration when its title is unchanged', async () => {
    const created = await catalog.send('POST', '/api/datasets', aDataset(aDeclaration()));
    await catalog.dataSource.query('UPDATE data_declarations SET partner_id = 1 WHERE dataset_id = $1', [
      created.body['id_at_source'],
    ]);
    const path = `/api/datasets/${String(created.body['external_id'])}`;
    await catalog.send('PATCH', path, aDeclaration({ access_procedure: 'ask' }));
    const rows: unknown = await catalog.dataSource.query(
      'SELECT partner_id, access_procedure FROM data_declarations WHERE dataset_id = $1',
      [created.body['id_at_source']],
    );
    expect(rows).toEqual([{ partner_id: 1, access_procedure: 'ask' }]);
  });

  const withMissing = (name: string): Document =>
    aDataset({
      project: name,
      ...aDeclaration({ cohorts: [{ cohort: name, cohort_external_id: name }] }),
      storages: [{ platform: name }],
      transfers: [{ partner: name }],
    });

  it('should report every missing record when a document names records that do not exist', async () => {
    expect(Object.keys(problemsIn(await catalog.send('POST', '/api/datasets', withMissing('MISSING'))))).toEqual([
      'project',
      'data_declarations[0].cohorts[0]',
      'storages[0].platform',
      'transfers[0].partner',
    ]);
  });

  it('should create and audit every missing record when create_missing is true', async () => {
    const created = await catalog.send('POST', '/api/datasets?create_missing=true', withMissing('CREATED'));
    expect(created).toMatchObject({
      status: 201,
      body: { project: 'CREATED', storages: [{ platform: 'CREATED' }], transfers: [{ partner: 'CREATED' }] },
    });
    expect(created.body['project_external_id']).toMatch(/^RDC_\d+$/);
    const [trail] = await catalog.dataSource.query<[object]>(
      `SELECT array_agg(resource ORDER BY resource) AS created FROM audit_entries
        WHERE action = 'create' AND request_id = (SELECT request_id FROM audit_entries ORDER BY id DESC LIMIT 1)`,
    );
    expect(trail).toEqual({ created: ['cohorts', 'datasets', 'partners', 'platforms', 'projects'] });
  });

  it.each<[string, Document, string]>([
    ['data_declarations', { data_declarations: {} }, 'must be a list'],
    ['data_declarations[0].title', { data_declarations: [{}] }, 'is missing'],
    ['data_declarations[0].title', aDeclaration({ title: '' }), 'must not be empty'],
    ['data_declarations[0].title', aDeclaration({ title: 'x'.repeat(10_001) }), 'must have at most 10000 characters'],
    [
      'data_declarations[1].title',
      { data_declarations: [{ title: 'A' }, { title: 'A' }] },
      'must be unique in the dataset',
    ],
    ['data_declarations[0].cohorts[0]', aDeclaration({ cohorts: [{}] }), 'must name a cohort'],
    ['data_declarations[0].data_types[0]', aDeclaration({ data_types: [5] }), 'must be text'],
    [
      'data_declarations[0].access_category',
      aDeclaration({ access_category: 'OPEN_ACCESS' }),
      'must be one of open_access',
    ],
    ['data_declarations[0].subjects_category', aDeclaration({ subjects_category: null }), 'must be one of unknown'],
    ['data_declarations[0].de_identification', aDeclaration({ de_identification: '' }), 'must be one of'],
    ['data_declarations[0].consent_status', aDeclaration({ consent_status: 'unknown' }), 'must be one of'],
    [
      'data_declarations[0].has_special_subjects',
      aDeclaration({ has_special_subjects: 'no' }),
      'must be true or false or null',
    ],
    ['data_declarations[0].embargo_date', aDeclaration({ embargo_date: '2023-02-29' }), 'must be a day that exists'],
    ['data_declarations[0].embargo_date', aDeclaration({ embargo_date: '0000-01-01' }), 'must be a day that exists'],
    [
      'data_declarations[0].storage_end_date',
      aDeclaration({ storage_end_date: '2023-02-01T00:00:00Z' }),
      'must be a day',
    ],
    ['data_declarations[0].storage_end_date', aDeclaration({ storage_end_date: '' }), 'must be a day'],
    ['data_declarations[0].use_conditions[0].use_class', aDeclaration({ use_conditions: [{}] }), 'is missing'],
    [
      'data_declarations[0].use_conditions[0].use_class',
      aDeclaration({ use_conditions: [{ use_class: 'gru' }] }),
      'must be one of NRES',
    ],
    [
      'data_declarations[0].use_conditions[0].use_condition_rule',
      aDeclaration({ use_conditions: [{ use_class: 'DS', use_condition_rule: '-' }] }),
      'must be one of PROHIBITION',
    ],
    ['legal_bases[0].legal_basis_codes[0]', { legal_bases: [{ legal_basis_codes: ['6.1'] }] }, 'must be one of 6.1(a)'],
    [
      'legal_bases[0].personal_data_codes[0]',
      { legal_bases: [{ personal_data_codes: ['health'] }] },
      'must be one of Standard',
    ],
    [
      'legal_bases[0].data_declarations',
      { legal_bases: [{ data_declarations: ['Nope'] }] },
      'must contain only titles of data declarations of this dataset',
    ],
    ['storages[0].platform', { storages: [{}] }, 'is missing'],
    ['storages[0].platform', { storages: [{ platform: null }] }, 'must be the name of a platform'],
    ['storages[0].category', { storages: [{ platform: 'Server', category: 'Master' }] }, 'must be one of master'],
    ['storages[0].accesses', { storages: [{ platform: 'Server', accesses: 'x' }] }, 'must be a list'],
    ['transfers[0].transfer_date', { transfers: [{ transfer_date: 5 }] }, 'must be text or null'],
    ['transfers[0].colour', { transfers: [{ colour: 5 }] }, 'is not known here'],
    ['uuid', { uuid: 'x' }, 'must be a UUID'],
    ['project', { project: '<script>' }, 'names the project "<script>", which does not exist'],
    ['form_id', { form_id: 'x' }, 'must be a whole number'],
  ])('should refuse an invalid %s (case %#)', async (field, members, problem) => {
    const answer = await catalog.send('POST', '/api/datasets', aDataset(members));
    expect([answer.status, problemsIn(answer)]).toEqual([400, { [field]: expect.stringContaining(problem) as string }]);
  });
});
