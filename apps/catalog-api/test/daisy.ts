import { createServer, type Server } from 'node:http';
import type { Document } from './writing.js';

/** The global key of the DAISY of the tests. */
export const daisyKey = 'the-global-key-of-that-daisy';

/** The `source` of the records of the DAISY. */
export const source = 'daisy.example.org';
const partner = {
  source,
  id_at_source: '97',
  external_id: null,
  name: 'Zed',
  acronym: 'Z',
  is_clinical: false,
  geo_category: 'EU',
  sector_category: 'PUBLIC',
  address: '',
  country_code: 'GER',
  metadata: '{}',
};
const laboratory = {
  ...partner,
  id_at_source: '2',
  external_id: 'ELU_I_2',
  name: 'Laboratory',
  acronym: 'LAB',
  country_code: null,
  metadata: '',
};
const home = {
  ...partner,
  id_at_source: '77',
  external_id: 'ELU_I_77',
  name: 'Home Institute',
  acronym: 'HOME',
  country_code: 'LUX',
  elu_uuid: 'x',
  colour: 'red',
};
/** A contact without affiliation, as DAISY exports it. */
export const person = {
  pk: '6',
  email: 'no.affiliation@example.org',
  oidc_id: null,
  first_name: 'No',
  last_name: 'Aff',
  address: null,
  phone: null,
  type: 'Principal_Investigator',
  partners: '',
};

/** The responses of the DAISY's API, with the oddities of a real one. */
export const payloads: Record<string, Document> = {
  partners: { results: [partner, laboratory, home] },
  cohorts: {
    results: [
      {
        source,
        id_at_source: '1',
        external_id: 'ELU_C_1',
        name: 'Cohort',
        description: 'Cohort',
        url: '',
        contacts: [{ ...person, email: '', type: '' }],
        institutes: [77, 2, 500],
        has_ethics_approval: true,
        ethics_approval_notes: '',
        metadata: '{"a": 1}',
      },
    ],
  },
  projects: {
    $schema: 'https://example.org/schemas/project.json',
    items: [
      {
        source,
        id_at_source: '1',
        acronym: 'P-ONE',
        external_id: 'ELU_I_100',
        name: null,
        description: 'lay',
        has_institutional_ethics_approval: true,
        has_national_ethics_approval: false,
        institutional_ethics_approval_notes: 'n',
        national_ethics_approval_notes: null,
        start_date: '2020-01-02',
        end_date: null,
        contacts: [
          {
            first_name: 'Ext',
            last_name: 'Person',
            role: 'Principal_Investigator',
            email: null,
            affiliations: ['Laboratory'],
          },
          {
            first_name: 'Alice',
            last_name: 'Vip',
            role: 'Boss',
            email: 'alice@example.org',
            affiliations: ['Home Institute'],
          },
        ],
        publications: [{ citation: 'Doe J. 2020.', doi: '10.1/abc' }, { citation_string: 'NoDOI' }],
        metadata: '[1]',
      },
    ],
  },
  datasets: {
    items: [
      {
        source,
        id_at_source: '1',
        external_id: 'ELU_I_103',
        name: 'Data One',
        description: 'desc',
        elu_uuid: '3a11fc66-2433-4c2a-98e1-39167c3a3848',
        other_external_id: null,
        project: 'P-ONE',
        project_external_id: 'ELU_I_100',
        data_declarations: [
          {
            title: 'DD1',
            cohorts: [
              { cohort: 'Cohort', cohort_external_id: 'ELU_C_1' },
              { cohort: 'Hidden', cohort_external_id: null },
            ],
            data_types: ['Clinical_data', 'Clinical data', 'Samples'],
            data_type_notes: 'notes',
            access_category: 'controlled_access',
            access_procedure: null,
            subjects_category: 'cases_and_controls',
            de_identification: 'pseudonymization',
            consent_status: 'unknown',
            has_special_subjects: null,
            special_subjects_description: '',
            embargo_date: '2030-01-01',
            storage_end_date: '2023-02-30',
            storage_duration_criteria: null,
            use_conditions: [
              {
                use_class: 'PS',
                use_class_label: 'Project',
                use_class_note: null,
                use_condition_note: 'only P1',
                use_condition_rule: 'CONSTRAINED_PERMISSION',
              },
              { use_class: 'XYZ', use_class_note: 'own', use_condition_rule: '-' },
            ],
          },
        ],
        legal_bases: [
          {
            legal_basis_codes: ['6.1(a)', '9.2'],
            personal_data_codes: ['Health'],
            legal_basis_notes: null,
            data_declarations: ['DD1'],
          },
        ],
        storages: [{ platform: 'Atlas server', location: '/\na\n/\nb', accesses: ['note'] }],
        transfers: [{ partner: 'Unlisted', transfer_details: 't', transfer_date: '2021-05-06' }],
        contacts: [
          {
            first_name: 'Alice',
            last_name: 'Vip',
            email: 'alice@example.org',
            role: 'Researcher',
            affiliations: ['Home Institute'],
          },
        ],
        metadata: '{}',
        form_id: 8,
        deprecated: false,
        deprecation_date: null,
        released_date: '2026-11-21T11:27:15+00:00',
        deprecation_notes: null,
        request_pdf_enabled: true,
      },
    ],
  },
  contracts: {
    items: [
      {
        id: 1,
        name: null,
        comments: null,
        project_id: 1,
        local_custodians: [{ first_name: 'Alice' }],
        partners: [{ partner: 'Laboratory', partner_roles: ['joint_controller'], comments: 'x', contacts: [person] }],
        source,
      },
      { id: 2, name: 'Loose', comments: '', project_id: 55, local_custodians: [], partners: [], source },
    ],
  },
};

/** Starts a server that answers like a DAISY: as text/html, and 401 without the key. */
export async function startDaisy(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://daisy');
    const payload = payloads[pathname.replace('/daisy/api/', '')];
    if (request.headers['x-api-key'] !== daisyKey) response.writeHead(401).end('{"status": "Error"}');
    else if (!payload) response.writeHead(404).end('<html>');
    else if (searchParams.get('published') === 'true') response.end(JSON.stringify({ results: [laboratory] }));
    else response.setHeader('Content-Type', 'text/html').end(JSON.stringify(payload, null, 4));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
