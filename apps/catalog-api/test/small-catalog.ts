import { globalKey, startCatalog, type RunningCatalog } from './catalog.js';
import { giveKey } from './people.js';

/** The keys of the callers of the small catalog. The catalog contains no key `unknown`. */
export const keys = {
  ada: 'custodian-who-is-principal-investigator',
  carl: 'custodian-of-several',
  steward: 'key-of-the-steward',
  auditor: 'key-of-the-auditor',
  legal: 'key-of-the-lawyer',
  plain: 'key-of-the-plain-one',
  inactive: 'key-of-one-who-left',
  first: 'f'.repeat(64),
  second: 's'.repeat(64),
  empty: 'e'.repeat(64),
  global: globalKey,
  unknown: 'nobody-has-this-key',
  none: undefined,
};

export type Item = Record<string, unknown>;

/** The running small catalog, whose callers have keys. */
export interface SmallCatalog extends RunningCatalog {
  /** Returns the parsed body of a GET, which must succeed. */
  get(path: string, key?: string): Promise<Record<string, unknown>>;
  /** Returns the records of a list, which must succeed. */
  items(path: string, key?: string): Promise<Item[]>;
}

/** Starts the small catalog, optionally with additional records. */
export async function startSmallCatalog(
  records: readonly object[] = smallCatalog,
  settings: Readonly<Record<string, string>> = {},
): Promise<SmallCatalog> {
  const catalog = await startCatalog({ HOME_ORGANISATION: 'Home Institute', ...settings });
  await catalog.fill(records);
  const people = [keys.ada, keys.carl, keys.steward, keys.auditor, keys.legal, keys.plain, keys.inactive];
  for (const [index, key] of people.entries()) await giveKey(catalog, { user: index + 1 }, key);
  for (const [index, key] of [keys.first, keys.second, keys.empty].entries()) {
    await giveKey(catalog, { endpoint: index + 1 }, key);
  }
  const get = async (path: string, key?: string): Promise<Record<string, unknown>> => {
    const response = await catalog.fetch(path, { ...(key !== undefined && { key }) });
    if (response.status !== 200) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
  const items = async (path: string, key?: string): Promise<Item[]> => {
    const body = await get(path, key);
    return (body['items'] ?? body['results']) as Item[];
  };
  return { ...catalog, get, items };
}

/**
 * A small catalog in the backup format: three projects (exposed, deprecated and never exposed), each with a dataset and
 * a contract, and one person of every kind.
 */
export const smallCatalog: readonly object[] = [
  person(1, 'Ada', 'Byron', { is_principal_investigator: true }),
  person(2, 'Carl', 'Gauss'),
  person(3, 'Emmy', 'Noether', { roles: ['data_steward'] }),
  person(4, 'Kurt', 'Audit', { roles: ['auditor'] }),
  person(5, 'Lena', 'Legal', { roles: ['legal'] }),
  person(6, 'Max', 'Plain'),
  person(7, 'Gone', 'Away', { active: false }),
  { record: 'partner', id: 1, external_id: 'RDC_101', name: 'Zeta University', acronym: 'ZU', published: true },
  { record: 'partner', id: 2, name: 'Alpha Clinic', acronym: '', is_clinical: true, country_code: 'LU' },
  {
    record: 'contact',
    id: 1,
    first_name: 'Ext',
    last_name: 'Person',
    email: 'ext@example.org',
    phone: '+352 1',
    address: 'Street 1',
    subject: 'ext-subject',
    type: 'Principal_Investigator',
    partners: [1],
  },
  { record: 'contact', id: 2, first_name: 'No', last_name: 'Affiliation', email: '', type: 'Researcher' },
  {
    record: 'cohort',
    id: 1,
    external_id: 'RDC_102',
    name: 'Open cohort',
    url: '',
    contacts: [1],
    institutes: [2, 1],
    published: true,
  },
  { record: 'cohort', id: 2, name: 'Hidden cohort', institutes: [1] },
  { record: 'platform', id: 1, name: 'Internal server' },
  { record: 'platform', id: 2, name: 'Public portal', public: true },
  project(1, 'EXPOSED', { custodians: [1, 2], personnel: [2, 6], contacts: [1], publications: [{ citation: 'A.' }] }),
  project(2, 'DEPRECATED', { custodians: [2] }),
  project(3, 'QUIET', {}),
  {
    ...dataset(1, 1, [1, 2]),
    data_declarations: [
      {
        title: 'Genomes',
        cohorts: [1, 2],
        data_types: ['Samples', 'Genomics', 'Samples'],
        embargo_date: '2030-01-01',
        use_conditions: [
          { use_class: 'PS', use_condition_note: 'only P1', use_condition_rule: 'CONSTRAINED_PERMISSION' },
        ],
      },
      { title: 'Phenotypes' },
    ],
    legal_bases: [{ legal_basis_codes: ['6.1(a)'], personal_data_codes: ['Health'], data_declarations: ['Genomes'] }],
    storages: [
      { platform_id: 1, location: '/secret/path', accesses: ['note'] },
      { platform_id: 2, location: 'https://portal.example.org', category: 'copy' },
    ],
    transfers: [{ partner_id: 2, transfer_details: 'sent', transfer_date: '2021-05-06' }, { transfer_date: null }],
  },
  dataset(2, 2, []),
  dataset(3, 3, []),
  contract(1, 1, [2]),
  contract(2, 2, []),
  contract(3, 3, [2]),
  { record: 'endpoint', id: 1, name: 'First portal', public: true },
  { record: 'endpoint', id: 2, name: 'Second portal' },
  { record: 'endpoint', id: 3, name: 'Nothing exposed' },
  exposure(1, { dataset_id: 1, deprecated_at: '2024-01-01T00:00:00Z', deprecation_notes: 'old', form_id: 7 }),
  exposure(2, { dataset_id: 1 }),
  exposure(3, { dataset_id: 2, deprecated_at: '2024-02-02T10:00:00Z', deprecation_notes: 'withdrawn' }),
  exposure(4, { dataset_id: 1, endpoint_id: 2, request_pdf_enabled: true }),
  { record: 'grant', id: 1, user_id: 6, dataset_id: 3, granted_by: 'global' },
  { record: 'grant', id: 2, user_id: 6, project_id: 2, granted_by: 'global' },
  { record: 'grant', id: 3, user_id: 6, contract_id: 2, granted_by: 'global' },
];

function person(id: number, first_name: string, last_name: string, more: object = {}): object {
  return { record: 'user', id, first_name, last_name, email: `${first_name}@example.org`, ...more };
}

function project(id: number, acronym: string, more: object): object {
  return { record: 'project', id, acronym, external_id: `RDC_${String(id)}`, name: `The ${acronym} study`, ...more };
}

function dataset(id: number, project_id: number, custodians: number[]): object {
  const uuid = `00000000-0000-4000-8000-00000000000${String(id)}`;
  return {
    record: 'dataset',
    id,
    uuid,
    project_id,
    custodians,
    external_id: `RDC_${String(10 + id)}`,
    name: `Data ${String(id)}`,
    created_at: `2024-01-0${String(id)}T00:00:00Z`,
  };
}

function contract(id: number, project_id: number, custodians: number[]): object {
  const partner_roles = [{ partner_id: 1, roles: ['joint_controller'], contacts: [1, 2] }];
  return { record: 'contract', id, project_id, custodians, name: `Contract ${String(id)}`, partner_roles };
}

function exposure(id: number, more: object): object {
  return { record: 'exposure', id, endpoint_id: 1, form_id: 8, created_at: '2023-05-05T05:05:05.555Z', ...more };
}
