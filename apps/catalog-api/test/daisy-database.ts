import { pbkdf2Sync } from 'node:crypto';
import { Client } from 'pg';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { daisySchema } from './daisy-schema.js';

/** Rows by table, each row by column. */
export type DaisyRows = Readonly<Record<string, readonly object[]>>;

/** A database with the tables of a DAISY. */
export interface TestDaisy {
  readonly url: string;
  query(statement: string): Promise<void>;
  drop(): Promise<void>;
}

/** The keys of the endpoints of the sample: the catalog accepts the length of the first key only. */
export const [shortKey, longKey] = ['s'.repeat(64), 'l'.repeat(70)];

/** The personal key of Ada, who is custodian of all records of the sample. */
export const personalKey = 'a'.repeat(48);

/** The name of the last migration of DAISY 1.11. */
const lastMigration = '0046_alter_document_content';

/** Returns a key as DAISY stores it, with few rounds. */
function hashOf(key: string): string {
  return `pbkdf2_sha256$10$salt$${pbkdf2Sync(key, 'salt', 10, 32, 'sha256').toString('base64')}`;
}

/** A DAISY with at least one record of each kind, and with the values that the catalog stores differently. */
export const sampleRows: DaisyRows = {
  django_migrations: [{ app: 'core', name: lastMigration }],
  django_content_type: [
    { id: 1, app_label: 'core', model: 'access' },
    { id: 2, app_label: 'core', model: 'project' },
    { id: 3, app_label: 'core', model: 'contract' },
  ],
  sequences_sequence: [{ name: 'elu_accession', last: 140 }],
  auth_permission: [
    { id: 1, codename: 'protected_dataset' },
    { id: 2, codename: 'protected_project' },
    { id: 3, codename: 'protected_contract' },
  ],
  auth_group: [
    { id: 1, name: 'daisy-data-steward' },
    { id: 2, name: 'own-group' },
  ],
  auth_group_permissions: [
    { group_id: 1, permission_id: 1 },
    { group_id: 1, permission_id: 2 },
    { group_id: 1, permission_id: 3 },
  ],
  core_user: [
    { id: 1, username: 'AnonymousUser' },
    {
      id: 2,
      username: 'ada',
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'ada@example.org',
      api_key: personalKey,
      oidc_id: 'sub-ada',
    },
    { id: 3, username: 'bob', first_name: 'Bob', last_name: 'Boole', email: 'ADA@example.org', oidc_id: null },
    { id: 4, username: 'system::REMS' },
    { id: 5, username: 'cleo', first_name: 'Cleo', last_name: 'Curie', email: 'cleo@example.org', oidc_id: 'sub-cleo' },
  ],
  core_user_groups: [
    { user_id: 3, group_id: 1 },
    { user_id: 3, group_id: 2 },
  ],
  core_partner: [
    { id: 7, name: 'Provider', elu_accession: 'ELU_I_7', country: 'GR', _is_published: true },
    { id: 8, name: 'Hidden partner' },
  ],
  core_contacttype: [
    { id: 1, name: 'Researcher' },
    { id: 2, name: 'Sponsor' },
  ],
  core_contact: [
    { id: 6, first_name: 'Eve', last_name: 'External', email: 'eve@example.org', type_id: 1, oidc_id: 'sub-eve' },
    { id: 9, first_name: 'Spo', last_name: 'Nsor', type_id: 2 },
  ],
  core_contact_partners: [{ contact_id: 6, partner_id: 7 }],
  core_cohort: [
    { id: 4, title: 'Published cohort', elu_accession: 'ELU_C_4', _is_published: true },
    { id: 5, title: 'Hidden cohort', ethics_confirmation: false, ethics_notes: 'pending' },
  ],
  core_cohort_institutes: [{ cohort_id: 4, partner_id: 7 }],
  core_cohort_owners: [{ cohort_id: 4, contact_id: 6 }],
  core_storageresource: [
    { id: 1, name: 'Open store' },
    { id: 2, name: 'Inner store' },
  ],
  core_fundingsource: [{ id: 1, name: 'FNR' }],
  core_diseaseterm: [{ id: 1, term_id: 'DOID:1', label: 'a disease' }],
  core_publication: [{ id: 1, citation: 'Doe 2020', doi: '10.1/x' }],
  core_project: [
    { id: 11, acronym: 'UMBRELLA', title: 'Umbrella', elu_accession: 'ELU_I_110' },
    {
      id: 12,
      acronym: 'SUB',
      elu_accession: 'ELU_I_111',
      umbrella_project_id: 11,
      project_web_page: 'https://sub.example.org',
    },
  ],
  core_project_funding_sources: [{ project_id: 12, fundingsource_id: 1 }],
  core_project_disease_terms: [{ project_id: 12, diseaseterm_id: 1 }],
  core_project_publications: [{ project_id: 12, publication_id: 1 }],
  core_project_local_custodians: [{ project_id: 12, user_id: 2 }],
  core_project_company_personnel: [{ project_id: 12, user_id: 5 }],
  core_project_contacts: [{ project_id: 12, contact_id: 9 }],
  core_document: [{ object_id: 12, content: 'documents/approval.pdf', content_type_id: 2 }],
  core_sensitivityclass: [{ id: 1, code: 'Pr-S' }],
  core_dataset: [
    {
      id: 21,
      title: 'Exposed',
      elu_accession: 'ELU_I_121',
      project_id: 12,
      sensitivity_id: 1,
      scientific_metadata: '{"big": 12345678901234567890}',
    },
    { id: 22, title: 'Withdrawn', elu_accession: 'ELU_I_122', project_id: 12, scientific_metadata: '[1]' },
    { id: 23, title: 'Inner', elu_accession: 'ELU_I_123' },
  ],
  core_dataset_local_custodians: [{ dataset_id: 21, user_id: 2 }],
  core_datasetuserobjectpermission: [
    { content_object_id: 21, user_id: 2, permission_id: 1 },
    { content_object_id: 23, user_id: 5, permission_id: 1 },
  ],
  core_projectuserobjectpermission: [{ content_object_id: 12, user_id: 2, permission_id: 2 }],
  guardian_userobjectpermission: [{ object_pk: '41', content_type_id: 3, user_id: 2, permission_id: 3 }],
  core_conditionclass: [{ id: 1, code: 'DS', name: 'Disease-specific Research and Clinical Care.' }],
  core_datatype: [
    { id: 1, name: 'Whole_genome_sequencing' },
    { id: 2, name: 'Samples' },
  ],
  core_datadeclaration: [
    {
      id: 31,
      title: 'Genomes',
      dataset_id: 21,
      partner_id: 7,
      contract_id: 41,
      submission_id: 'sub-1',
      comments: 'internal',
    },
  ],
  core_datadeclaration_cohorts: [{ datadeclaration_id: 31, cohort_id: 5 }],
  core_datadeclaration_data_types_received: [{ datadeclaration_id: 31, datatype_id: 1 }],
  core_datadeclaration_data_types_generated: [{ datadeclaration_id: 31, datatype_id: 2 }],
  core_usecondition: [{ id: 1, condition_class: 'DS', use_condition_rule: '-', data_declaration_id: 31 }],
  core_legalbasistype: [{ id: 1, code: '6.1(a)' }],
  core_personaldatatype: [{ id: 1, code: 'Health' }],
  core_legalbasis: [{ id: 1, dataset_id: 21 }],
  core_legalbasis_legal_basis_types: [{ legalbasis_id: 1, legalbasistype_id: 1 }],
  core_legalbasis_personal_data_types: [{ legalbasis_id: 1, personaldatatype_id: 1 }],
  core_legalbasis_data_declarations: [{ legalbasis_id: 1, datadeclaration_id: 31 }],
  core_datalocation: [
    { id: 1, backend_id: 1, dataset_id: 21, location_description: '/open' },
    { id: 2, backend_id: 2, dataset_id: 21, location_description: '/inner' },
  ],
  core_datalogtype: [{ id: 1, name: 'Transfer' }],
  core_share: [
    { id: 1, dataset_id: 21, partner_id: 7, data_log_type_id: 1, share_notes: 'sent' },
    { id: 2, dataset_id: 22, data_log_type_id: 1 },
  ],
  core_gdprrole: [{ id: 1, name: 'controller' }],
  core_contract: [
    { id: 41, name: 'Agreement', project_id: 12 },
    { id: 42, name: null, project_id: null },
  ],
  core_contract_local_custodians: [{ contract_id: 41, user_id: 2 }],
  core_partnerrole: [{ id: 1, contract_id: 41, partner_id: 7 }],
  core_partnerrole_roles: [{ partnerrole_id: 1, gdprrole_id: 1 }],
  core_partnerrole_contacts: [{ partnerrole_id: 1, contact_id: 6 }],
  core_dac: [{ id: 1, title: 'Committee', contract_id: 41 }],
  core_dacmembership: [{ contact_id: 6, dac_id: 1 }],
  core_endpoint: [
    { id: 51, name: 'First portal', url_pattern: 'https://one.example.org/${entity_id}', api_key: hashOf(shortKey) },
    { id: 52, name: 'Second portal', url_pattern: 'https://two.example.org/${entity_id}', api_key: hashOf(longKey) },
  ],
  core_exposure: [
    { id: 61, dataset_id: 21, endpoint_id: 51, form_id: 8, created_by_id: 3, added: '2024-05-06T07:08:09Z' },
    {
      id: 62,
      dataset_id: 22,
      endpoint_id: 51,
      form_id: 9,
      is_deprecated: true,
      deprecated_at: '2025-01-02T03:04:05Z',
      deprecation_reason: 'old',
      added: '2023-05-06T07:08:09Z',
    },
  ],
  core_access: [
    {
      id: 71,
      dataset_id: 21,
      user_id: 2,
      status: 'active',
      grant_expires_on: '2099-12-31',
      application_id: 11,
      application_external_id: '2026/7',
      access_notes: 'granted',
    },
    { id: 72, dataset_id: 21, contact_id: 6, status: 'active' },
    { id: 73, dataset_id: 22, user_id: 5, status: 'suspended' },
    { id: 74, dataset_id: 21, access_notes: 'ask the group' },
  ],
  core_access_defined_on_locations: [{ access_id: 74, datalocation_id: 1 }],
  auditlog_logentry: [
    {
      object_pk: '71',
      action: 0,
      changes: { status: ['None', 'Active'] },
      timestamp: '2024-06-07T08:09:10Z',
      actor_id: 3,
      content_type_id: 1,
      remote_addr: '192.0.2.7',
    },
  ],
  django_admin_log: [
    {
      action_time: '2024-01-01T00:00:00Z',
      object_id: '12',
      object_repr: 'SUB',
      action_flag: 2,
      change_message: '[]',
      content_type_id: 2,
      user_id: 3,
    },
  ],
};

/** Creates the database of a DAISY with some rows. */
export async function startDaisyDatabase(rows: DaisyRows = sampleRows): Promise<TestDaisy> {
  const { url, drop } = await createTestDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(daisySchema);
  for (const [table, some] of Object.entries(rows)) {
    for (const row of some) await insert(client, table, row);
  }
  return {
    url,
    async query(statement) {
      await client.query(statement);
    },
    async drop() {
      await client.end();
      await drop();
    },
  };
}

async function insert(client: Client, table: string, row: object): Promise<void> {
  const columns = Object.keys(row).join(', ');
  await client.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1)`,
    [JSON.stringify(row)],
  );
}
