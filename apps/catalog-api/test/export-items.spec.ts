import { keys, startSmallCatalog, type Item, type SmallCatalog } from './small-catalog.js';

describe('an exported record', () => {
  let catalog: SmallCatalog;

  beforeAll(async () => {
    catalog = await startSmallCatalog();
  });

  afterAll(() => catalog.stop());

  it('should contain all members of a dataset', async () => {
    const { $schema, items: all } = await catalog.get('/api/datasets', keys.global);
    expect($schema).toBe('/schemas/datasets.json');
    expect((all as Item[])[0]).toEqual({
      source: 'https://catalog.example.org',
      id_at_source: '1',
      external_id: 'RDC_11',
      name: 'Data 1',
      description: null,
      uuid: '00000000-0000-4000-8000-000000000001',
      elu_uuid: '00000000-0000-4000-8000-000000000001',
      other_external_id: null,
      project: 'EXPOSED',
      project_external_id: 'RDC_1',
      data_declarations: [
        {
          title: 'Genomes',
          cohorts: [
            { cohort: 'Open cohort', cohort_external_id: 'RDC_102' },
            { cohort: 'Hidden cohort', cohort_external_id: null },
          ],
          data_types: ['Genomics', 'Samples'],
          data_types_notes: null,
          access_category: null,
          access_procedure: null,
          subjects_category: 'cases_and_controls',
          de_identification: 'pseudonymization',
          consent_status: null,
          has_special_subjects: null,
          special_subjects_description: null,
          embargo_date: '2030-01-01',
          storage_end_date: null,
          storage_duration_criteria: null,
          use_conditions: [
            {
              use_class: 'PS',
              use_class_label: 'Project-Specific restrictions',
              use_class_note: null,
              use_condition_note: 'only P1',
              use_condition_rule: 'CONSTRAINED_PERMISSION',
            },
          ],
        },
        expect.objectContaining({ title: 'Phenotypes', cohorts: [], data_types: [], use_conditions: [] }),
      ],
      legal_bases: [
        {
          legal_basis_codes: ['6.1(a)'],
          personal_data_codes: ['Health'],
          legal_basis_notes: null,
          data_declarations: ['Genomes'],
        },
      ],
      storages: [
        { platform: 'Internal server', location: '/secret/path', category: 'master', accesses: ['note'] },
        { platform: 'Public portal', location: 'https://portal.example.org', category: 'copy', accesses: [] },
      ],
      transfers: [
        { partner: 'Alpha Clinic', transfer_details: 'sent', transfer_date: '2021-05-06' },
        { partner: null, transfer_details: null, transfer_date: null },
      ],
      contacts: [custodian('Ada', 'Byron', 'Principal_Investigator'), custodian('Carl', 'Gauss', 'Researcher')],
      metadata: '{}',
    });
  });

  it('should contain the exposure and hide private platforms when an endpoint reads a dataset', async () => {
    const [active, deprecated] = await catalog.items('/api/datasets', keys.first);
    expect(active).toMatchObject({
      form_id: 8,
      deprecated: false,
      deprecation_date: null,
      released_date: '2023-05-05T05:05:05.555Z',
      deprecation_notes: null,
      request_pdf_enabled: false,
      storages: [
        { platform: null, location: null, category: 'master', accesses: ['note'] },
        { platform: 'Public portal', location: 'https://portal.example.org', category: 'copy', accesses: [] },
      ],
    });
    expect(deprecated).toMatchObject({
      deprecated: true,
      deprecation_date: '2024-02-02T10:00:00.000Z',
      deprecation_notes: 'withdrawn',
    });
    expect(JSON.stringify(active)).not.toContain('secret');
    expect((await catalog.items('/api/datasets', keys.global))[0]).not.toHaveProperty('form_id');
  });

  it('should contain all members of a project, and each person once', async () => {
    const { $schema, items: all } = await catalog.get('/api/projects', keys.global);
    expect($schema).toBe('/schemas/projects.json');
    expect((all as Item[])[0]).toEqual({
      source: 'https://catalog.example.org',
      id_at_source: '1',
      acronym: 'EXPOSED',
      external_id: 'RDC_1',
      name: 'The EXPOSED study',
      description: null,
      has_institutional_ethics_approval: false,
      has_national_ethics_approval: false,
      institutional_ethics_approval_notes: null,
      national_ethics_approval_notes: null,
      start_date: null,
      end_date: null,
      contacts: [
        {
          first_name: 'Ext',
          last_name: 'Person',
          email: 'ext@example.org',
          role: 'Principal_Investigator',
          affiliations: ['Zeta University'],
        },
        custodian('Ada', 'Byron', 'Principal_Investigator'),
        custodian('Carl', 'Gauss', 'Principal_Investigator'),
        custodian('Max', 'Plain', 'Researcher'),
      ],
      publications: [{ citation: 'A.', doi: null }],
      metadata: '{}',
    });
  });

  const fullContact = {
    pk: '1',
    email: 'ext@example.org',
    oidc_id: 'ext-subject',
    first_name: 'Ext',
    last_name: 'Person',
    address: 'Street 1',
    phone: '+352 1',
    type: 'Principal_Investigator',
    partners: [{ acronym: 'ZU', name: 'Zeta University' }],
  };

  it('should contain all members of a contract', async () => {
    expect((await catalog.items('/api/contracts', keys.global))[0]).toEqual({
      id: 1,
      name: 'Contract 1',
      comments: null,
      project_id: 1,
      local_custodians: [custodian('Carl', 'Gauss', 'Researcher')],
      partners: [
        {
          partner: 'Zeta University',
          partner_roles: ['joint_controller'],
          comments: null,
          contacts: [fullContact, expect.objectContaining({ pk: '2', email: null, partners: [] })],
        },
      ],
      source: 'https://catalog.example.org',
    });
  });

  it('should contain all members of a partner, with the flag published for the global key only', async () => {
    const clinic = {
      source: 'https://catalog.example.org',
      id_at_source: '2',
      external_id: null,
      name: 'Alpha Clinic',
      acronym: null,
      is_clinical: true,
      geo_category: 'EU',
      sector_category: 'PUBLIC',
      address: null,
      country_code: 'LU',
      metadata: '{}',
    };
    expect((await catalog.items('/api/partners', keys.plain))[0]).toEqual(clinic);
    expect((await catalog.items('/api/partners', keys.global))[0]).toEqual({ ...clinic, published: false });
  });

  it('should contain all members of a cohort, without contact details and unpublished institutes when no key is sent', async () => {
    const cohort = {
      source: 'https://catalog.example.org',
      id_at_source: '1',
      external_id: 'RDC_102',
      name: 'Open cohort',
      description: null,
      url: null,
      contacts: [fullContact],
      institutes: [2, 1],
      has_ethics_approval: false,
      ethics_approval_notes: null,
      metadata: '{}',
    };
    expect(await catalog.items('/api/cohorts', keys.plain)).toEqual([cohort]);
    expect(await catalog.items('/api/cohorts', keys.global)).toEqual([{ ...cohort, published: true }]);
    const hidden = { ...fullContact, email: null, oidc_id: null, address: null, phone: null };
    const shown = [{ ...cohort, contacts: [hidden], institutes: [1] }];
    expect(await catalog.items('/api/cohorts')).toEqual(shown);
    expect(await catalog.items('/api/cohorts', keys.unknown)).toEqual(shown);
  });
});

function custodian(first_name: string, last_name: string, role: string): object {
  return { first_name, last_name, email: `${first_name}@example.org`, role, affiliations: ['Home Institute'] };
}
