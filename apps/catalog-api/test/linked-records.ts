import { smallCatalog } from './small-catalog.js';

/** Words in private parts of {@link richCatalog}, which must never be published. */
export const privateWords = [
  ...['Byron', 'Gauss', 'Ext', '@example.org', '/secret/path', 'Internal server', 'Public portal', '6.1(a)'],
  ...['ethics notes', 'legal notes', 'Contract 1', 'Zeta University', 'handed over', 'private note', 'ask Jane'],
];

/** A public dataset and its project, with all public and all private members. */
const richDataset = {
  record: 'dataset',
  id: 50,
  uuid: '00000000-0000-4000-8000-000000000050',
  external_id: 'RDC 50/é?<&',
  name: 'Gait "and" tremor <b>',
  description: 'Steps,\nline by line.',
  other_external_id: 'EGAD00001',
  project_id: 50,
  custodians: [1, 2],
  created_at: '2024-05-01T00:00:00Z',
  metadata: {
    keywords: ['gait', 7, 'Samples'],
    terms: ['HP:0002066', 'EFO:0000001', 'HGNC:1101', 'no term', 3],
    number_of_records: 12,
    number_of_individuals: '13',
    contact: 'ask Jane',
  },
  data_declarations: [
    {
      title: 'Sensors',
      cohorts: [1, 2],
      data_types: ['Sensor data', 'Samples'],
      access_category: 'controlled_access',
      access_procedure: 'private note: ask Jane',
      use_conditions: [
        { use_class: 'DS', use_class_note: "Parkinson's disease (DOID:14330)", use_condition_rule: 'PERMISSION' },
        { use_class: 'PUB', use_condition_note: 'private note', use_condition_rule: 'OBLIGATION' },
        { use_class: 'IP', use_condition_rule: 'PROHIBITION' },
        { use_class: 'NPU', use_condition_rule: 'PROHIBITION' },
      ],
    },
    { title: 'Forms', access_category: 'open_access' },
  ],
  legal_bases: [{ legal_basis_codes: ['6.1(a)'], personal_data_codes: ['Health'], legal_basis_notes: 'legal notes' }],
  storages: [{ platform_id: 1, location: '/secret/path', accesses: ['private note'] }],
  transfers: [{ partner_id: 1, transfer_details: 'handed over' }],
};

const richProject = {
  record: 'project',
  id: 50,
  acronym: 'RICH',
  external_id: 'RDC_500',
  name: 'The rich study',
  description: 'Of everything.',
  start_date: '2020-02-29',
  end_date: '2025-12-31',
  has_institutional_ethics_approval: true,
  institutional_ethics_approval_notes: 'ethics notes',
  custodians: [1],
  contacts: [1],
  publications: [
    { citation: 'A.', doi: 'https://doi.org/10.5555/a(b)' },
    { citation: 'B.', doi: 'none' },
  ],
  metadata: { keywords: ['walking'] },
};

/** The small catalog with the rich dataset exposed to the public endpoint, and with landing pages. */
export const richCatalog: readonly object[] = [
  ...smallCatalog.map(withLandingPage),
  richProject,
  richDataset,
  { record: 'exposure', id: 50, dataset_id: 50, endpoint_id: 1, form_id: 1, created_at: '2024-06-07T08:09:10.111Z' },
];

function withLandingPage(each: object): object {
  const { record, id } = each as { record: string; id: number };
  const url_pattern = `https://portal${String(id)}.example.net/e/\${entity_id}`;
  return record === 'endpoint' ? { ...each, url_pattern } : each;
}
