/**
 * The version of the backup format: the whole catalog as NDJSON with one record per line. An import of a backup restores
 * the catalog.
 *
 * The first line is `{"record": "catalog", "format": 1, "accessions": n}`. `n` is the last assigned accession number.
 * Every other line is one record: its type under `record` (a key of {@link backupTypes}), its `id`, and its columns under
 * their names in the database. A record follows the records to which it refers, so types have the order of `backupTypes`.
 *
 * - Records refer to each other by `id` (`project_id`, `custodians: [3, 4]`). A legal basis refers to its data
 *   declarations by title.
 * - Rows that belong to one record are nested in the record (`data_declarations`, `storages`, `publications`). Lists keep
 *   their order.
 * - An absent column gets its default. Instants are ISO 8601, days `YYYY-MM-DD`, `metadata` is a JSON object.
 * - Keys and passwords are contained as hashes only.
 *
 * ```json
 * {"record":"catalog","format":1,"accessions":2}
 * {"record":"user","id":1,"email":"ada@example.org","first_name":"Ada","last_name":"Byron","roles":["data_steward"]}
 * {"record":"partner","id":1,"external_id":"RDC_7","name":"Example University","published":true}
 * {"record":"contact","id":1,"first_name":"Max","last_name":"Weber","type":"Researcher","partners":[1]}
 * {"record":"project","id":1,"external_id":"RDC_1","acronym":"ALPHA","name":"Alpha study","custodians":[1],"contacts":[1]}
 * {"record":"dataset","id":1,"external_id":"RDC_2","uuid":"6f0e…","name":"Alpha genomes","project_id":1,"custodians":[1],
 *  "data_declarations":[{"title":"Genomes","data_types":["Samples"],"cohorts":[],
 *    "use_conditions":[{"use_class":"GRU","use_condition_rule":"PERMISSION"}]}]}
 * ```
 */
export const backupFormat = 1;

/** A list of ids on a record that is stored in a link table. */
export interface BackupLinks {
  readonly table: string;
  /** The column with the id of the record. */
  readonly parent: string;
  /** The column with the listed id. */
  readonly value: string;
  /** The table whose titles the backup contains instead of ids; undefined if the backup contains ids. */
  readonly siblings?: string;
}

/** A table of the backup, with the lists and nested rows of each row. */
export interface BackupTable {
  readonly table: string;
  /** For nested rows, the column with the id of the outer row. */
  readonly parent?: string;
  readonly links?: Readonly<Record<string, BackupLinks>>;
  readonly children?: Readonly<Record<string, BackupTable>>;
}

const custodians = (record: string): BackupLinks => ({
  table: `${record}_custodians`,
  parent: `${record}_id`,
  value: 'user_id',
});

const datasetChildren: Readonly<Record<string, BackupTable>> = {
  data_declarations: {
    table: 'data_declarations',
    parent: 'dataset_id',
    links: { cohorts: { table: 'data_declaration_cohorts', parent: 'data_declaration_id', value: 'cohort_id' } },
    children: { use_conditions: { table: 'use_conditions', parent: 'data_declaration_id' } },
  },
  legal_bases: {
    table: 'legal_bases',
    parent: 'dataset_id',
    links: {
      data_declarations: {
        table: 'legal_basis_declarations',
        parent: 'legal_basis_id',
        value: 'data_declaration_id',
        siblings: 'data_declarations',
      },
    },
  },
  storages: { table: 'storage_locations', parent: 'dataset_id' },
  transfers: { table: 'transfers', parent: 'dataset_id' },
};

/** The types of records, in the order of the backup. */
export const backupTypes: Readonly<Record<string, BackupTable>> = {
  user: { table: 'users' },
  partner: { table: 'partners' },
  contact: {
    table: 'contacts',
    links: { partners: { table: 'contact_affiliations', parent: 'contact_id', value: 'partner_id' } },
  },
  cohort: {
    table: 'cohorts',
    links: {
      contacts: { table: 'cohort_contacts', parent: 'cohort_id', value: 'contact_id' },
      institutes: { table: 'cohort_institutes', parent: 'cohort_id', value: 'partner_id' },
    },
  },
  platform: { table: 'platforms' },
  project: {
    table: 'projects',
    links: {
      custodians: custodians('project'),
      personnel: { table: 'project_personnel', parent: 'project_id', value: 'user_id' },
      contacts: { table: 'project_contacts', parent: 'project_id', value: 'contact_id' },
    },
    children: { publications: { table: 'publications', parent: 'project_id' } },
  },
  dataset: { table: 'datasets', links: { custodians: custodians('dataset') }, children: datasetChildren },
  contract: {
    table: 'contracts',
    links: { custodians: custodians('contract') },
    children: {
      partner_roles: {
        table: 'partner_roles',
        parent: 'contract_id',
        links: { contacts: { table: 'partner_role_contacts', parent: 'partner_role_id', value: 'contact_id' } },
      },
    },
  },
  endpoint: {
    table: 'endpoints',
    children: {
      keys: { table: 'endpoint_keys', parent: 'endpoint_id' },
      imported_keys: { table: 'imported_endpoint_keys', parent: 'endpoint_id' },
    },
  },
  service_key: {
    table: 'service_keys',
    children: { secrets: { table: 'service_key_secrets', parent: 'service_key_id' } },
  },
  exposure: { table: 'exposures' },
  grant: { table: 'grants' },
  access: { table: 'accesses' },
  refused_entitlement: { table: 'refused_entitlements' },
  term: { table: 'terms' },
  use_class_label: { table: 'use_class_labels' },
  audit_entry: { table: 'audit_entries' },
};
