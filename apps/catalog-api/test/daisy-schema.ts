/** The columns of each table, as SQL without `id`, `added` and `updated`, which every table of the first map has. */
const records: Readonly<Record<string, string>> = {
  core_access: `access_notes text NOT NULL DEFAULT '', granted_on date, grant_expires_on date, dataset_id bigint NOT NULL,
    project_id bigint, contact_id bigint, created_by_id bigint, user_id bigint, status varchar(10) NOT NULL DEFAULT 'precreated',
    was_generated_automatically boolean NOT NULL DEFAULT false, application_external_id varchar(200), application_id integer`,
  core_cohort: `elu_accession varchar(20), ethics_confirmation boolean NOT NULL DEFAULT true, comments text,
    title text NOT NULL, _is_published boolean NOT NULL DEFAULT false, cohort_web_page varchar(200) NOT NULL DEFAULT '',
    ethics_notes text DEFAULT '', scientific_metadata text DEFAULT '{}'`,
  core_conditionclass: 'code text NOT NULL, name text NOT NULL',
  core_contact: `address text, email varchar(254) NOT NULL DEFAULT '', first_name text NOT NULL, last_name text NOT NULL,
    phone text, type_id bigint NOT NULL, oidc_id varchar(64)`,
  core_contacttype: 'name text NOT NULL',
  core_contract: 'comments text, project_id bigint, name varchar(200)',
  core_dac: 'title varchar(255) NOT NULL, description text, contract_id bigint NOT NULL',
  core_dacmembership: `remark varchar(255) NOT NULL DEFAULT '', contact_id bigint NOT NULL, dac_id bigint NOT NULL`,
  core_datadeclaration: `comments text, consent_status varchar(13) NOT NULL DEFAULT 'unknown', data_types_notes text,
    deidentification_method varchar(16) NOT NULL DEFAULT 'pseudonymization', embargo_date date,
    end_of_storage_duration date, storage_duration_criteria text, has_special_subjects boolean, other_external_id text,
    share_category varchar(17), special_subjects_description text, submission_id text, title text NOT NULL,
    subjects_category varchar(18) NOT NULL DEFAULT 'cases_and_controls', unique_id uuid NOT NULL DEFAULT gen_random_uuid(),
    contract_id bigint, dataset_id bigint NOT NULL, partner_id bigint, access_procedure text`,
  core_datalocation: `category varchar(6) NOT NULL DEFAULT 'master', backend_id bigint NOT NULL, dataset_id bigint NOT NULL,
    location_description text`,
  core_datalogtype: 'name text NOT NULL',
  core_dataset: `comments text, other_external_id text, title text NOT NULL, unique_id uuid NOT NULL DEFAULT gen_random_uuid(),
    project_id bigint, sensitivity_id bigint, elu_accession varchar(20), scientific_metadata text DEFAULT '{}', dac_id bigint`,
  core_datatype: 'name text NOT NULL',
  core_diseaseterm: 'term_id varchar(200) NOT NULL, label varchar(300) NOT NULL',
  core_document: `object_id integer NOT NULL, content varchar(255) NOT NULL, content_url varchar(200), content_notes text,
    domain_type text NOT NULL DEFAULT 'other', content_type_id integer NOT NULL, expiry_date date`,
  core_endpoint: 'name varchar(128) NOT NULL, url_pattern varchar(256) NOT NULL, api_key varchar(128) NOT NULL',
  core_exposure: `form_id integer NOT NULL, created_by_id bigint, dataset_id bigint NOT NULL, endpoint_id bigint NOT NULL,
    form_name varchar(500), deprecated_at timestamptz, deprecation_reason text, is_deprecated boolean NOT NULL DEFAULT false,
    request_pdf_enabled boolean NOT NULL DEFAULT false`,
  core_fundingsource: 'name text NOT NULL',
  core_gdprrole: 'name text NOT NULL',
  core_geneterm: 'term_id varchar(200) NOT NULL, label varchar(300) NOT NULL',
  core_legalbasis: 'remarks text, dataset_id bigint NOT NULL',
  core_legalbasistype: 'code text NOT NULL',
  core_partner: `acronym text NOT NULL DEFAULT '', elu_accession varchar(20), address text NOT NULL DEFAULT '',
    geo_category varchar(20) NOT NULL DEFAULT 'EU', sector_category varchar(20) NOT NULL DEFAULT 'PUBLIC',
    is_clinical boolean NOT NULL DEFAULT false, _is_published boolean NOT NULL DEFAULT false, name text NOT NULL,
    country varchar(2), scientific_metadata text DEFAULT '{}'`,
  core_partnerrole: 'contract_id bigint NOT NULL, partner_id bigint NOT NULL, comments text',
  core_personaldatatype: 'code text NOT NULL',
  core_phenotypeterm: 'term_id varchar(200) NOT NULL, label varchar(300) NOT NULL',
  core_project: `acronym varchar(200) NOT NULL, cner_notes text, comments text, description text, end_date date,
    erp_notes text, has_cner boolean NOT NULL DEFAULT false, has_erp boolean NOT NULL DEFAULT false,
    includes_automated_profiling boolean NOT NULL DEFAULT false, project_web_page varchar(200) NOT NULL DEFAULT '',
    start_date date, title varchar(500), umbrella_project_id bigint, elu_accession varchar(20),
    scientific_metadata text DEFAULT '{}'`,
  core_publication: 'citation text NOT NULL, doi text',
  core_sensitivityclass: 'code text NOT NULL',
  core_share: `share_notes text, granted_on date, contract_id bigint, dataset_id bigint NOT NULL, partner_id bigint,
    data_log_type_id bigint`,
  core_storageresource: 'name text NOT NULL',
  core_studyterm: 'term_id varchar(200) NOT NULL, label varchar(300) NOT NULL',
  core_usecondition: `condition_class varchar(20), notes text, data_declaration_id bigint NOT NULL,
    use_condition_rule text NOT NULL DEFAULT 'PROHIBITION', use_class_note text`,
};

/** The columns of other tables. */
const others: Readonly<Record<string, string>> = {
  auditlog_logentry: `object_pk varchar(255) NOT NULL, action smallint NOT NULL, changes jsonb, timestamp timestamptz NOT NULL,
    actor_id bigint, content_type_id integer NOT NULL, remote_addr inet`,
  auth_group: 'name varchar(150) NOT NULL',
  auth_permission: 'codename varchar(100) NOT NULL',
  core_user: `password varchar(128) NOT NULL DEFAULT '', last_login timestamptz, is_superuser boolean NOT NULL DEFAULT false,
    username varchar(150) NOT NULL, first_name varchar(150) NOT NULL DEFAULT '', last_name varchar(150) NOT NULL DEFAULT '',
    email varchar(254) NOT NULL DEFAULT '', is_active boolean NOT NULL DEFAULT true, oidc_id varchar(64),
    date_joined timestamptz NOT NULL DEFAULT now(), api_key varchar(64) NOT NULL DEFAULT md5(random()::text)`,
  django_admin_log: `action_time timestamptz NOT NULL, object_id text, object_repr varchar(200) NOT NULL,
    action_flag smallint NOT NULL, change_message text NOT NULL, content_type_id integer, user_id bigint NOT NULL`,
  django_content_type: 'app_label varchar(100) NOT NULL, model varchar(100) NOT NULL',
  django_migrations: 'app varchar(255) NOT NULL, name varchar(255) NOT NULL',
  sequences_sequence: 'name varchar(100) NOT NULL, last bigint NOT NULL',
};

/** The two columns of each link table. */
const links: Readonly<Record<string, readonly [string, string]>> = {
  auth_group_permissions: ['group_id', 'permission_id'],
  core_access_defined_on_locations: ['access_id', 'datalocation_id'],
  core_cohort_institutes: ['cohort_id', 'partner_id'],
  core_cohort_owners: ['cohort_id', 'contact_id'],
  core_contact_partners: ['contact_id', 'partner_id'],
  core_contract_local_custodians: ['contract_id', 'user_id'],
  core_dac_local_custodians: ['dac_id', 'user_id'],
  core_datadeclaration_cohorts: ['datadeclaration_id', 'cohort_id'],
  core_datadeclaration_data_declarations_parents: ['from_datadeclaration_id', 'to_datadeclaration_id'],
  core_datadeclaration_data_types_generated: ['datadeclaration_id', 'datatype_id'],
  core_datadeclaration_data_types_received: ['datadeclaration_id', 'datatype_id'],
  core_datalocation_data_declarations: ['datalocation_id', 'datadeclaration_id'],
  core_datalocation_datatypes: ['datalocation_id', 'datatype_id'],
  core_dataset_local_custodians: ['dataset_id', 'user_id'],
  core_legalbasis_data_declarations: ['legalbasis_id', 'datadeclaration_id'],
  core_legalbasis_legal_basis_types: ['legalbasis_id', 'legalbasistype_id'],
  core_legalbasis_personal_data_types: ['legalbasis_id', 'personaldatatype_id'],
  core_partnerrole_contacts: ['partnerrole_id', 'contact_id'],
  core_partnerrole_roles: ['partnerrole_id', 'gdprrole_id'],
  core_project_company_personnel: ['project_id', 'user_id'],
  core_project_contacts: ['project_id', 'contact_id'],
  core_project_disease_terms: ['project_id', 'diseaseterm_id'],
  core_project_funding_sources: ['project_id', 'fundingsource_id'],
  core_project_gene_terms: ['project_id', 'geneterm_id'],
  core_project_local_custodians: ['project_id', 'user_id'],
  core_project_phenotype_terms: ['project_id', 'phenotypeterm_id'],
  core_project_publications: ['project_id', 'publication_id'],
  core_project_study_terms: ['project_id', 'studyterm_id'],
  core_share_data_declarations: ['share_id', 'datadeclaration_id'],
  core_user_groups: ['user_id', 'group_id'],
  core_user_user_permissions: ['user_id', 'permission_id'],
};

/** The columns of the tables with permissions on single records. */
const permissions: Readonly<Record<string, string>> = {
  core_datasetgroupobjectpermission: 'content_object_id bigint, group_id integer, permission_id integer',
  core_datasetuserobjectpermission: 'content_object_id bigint, user_id bigint, permission_id integer',
  core_projectgroupobjectpermission: 'content_object_id bigint, group_id integer, permission_id integer',
  core_projectuserobjectpermission: 'content_object_id bigint, user_id bigint, permission_id integer',
  guardian_groupobjectpermission: 'object_pk text, content_type_id integer, group_id integer, permission_id integer',
  guardian_userobjectpermission: 'object_pk text, content_type_id integer, user_id bigint, permission_id integer',
};

const id = 'id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY';
const dated = `${id}, added timestamptz NOT NULL DEFAULT now(), updated timestamptz NOT NULL DEFAULT now()`;

/** The SQL that creates the tables of DAISY 1.11 that a migration reads. Unused columns are omitted. */
export const daisySchema = [
  ...Object.entries(records).map(([table, columns]) => `CREATE TABLE ${table} (${dated}, ${columns})`),
  ...Object.entries({ ...others, ...permissions }).map(
    ([table, columns]) => `CREATE TABLE ${table} (${id}, ${columns})`,
  ),
  ...Object.entries(links).map(
    ([table, [one, other]]) => `CREATE TABLE ${table} (${id}, ${one} bigint, ${other} bigint)`,
  ),
].join(';\n');

/** The SQL that gives the tables of DAISY 1.11 the form that they had in an older version, newest version first. */
const olderForms: readonly { readonly version: string; readonly migration: string; readonly statements: string }[] = [
  { version: '1.11', migration: '0045_exposure_request_pdf_enabled', statements: 'SELECT' },
  {
    version: '1.10',
    migration: '0044_auto_20250716_1217',
    statements: `ALTER TABLE core_exposure DROP COLUMN request_pdf_enabled;
      ALTER TABLE auditlog_logentry ALTER COLUMN changes TYPE text`,
  },
  {
    version: '1.9',
    migration: '0039_auto_20250219_1834',
    statements: `DROP TABLE core_dac, core_dacmembership, core_dac_local_custodians;
      ALTER TABLE core_dataset DROP COLUMN dac_id;
      ALTER TABLE core_contract DROP COLUMN name;
      ALTER TABLE core_conditionclass RENAME TO core_restrictionclass;
      ALTER TABLE core_usecondition RENAME TO core_userestriction;
      ALTER TABLE core_userestriction RENAME COLUMN condition_class TO restriction_class;
      ALTER TABLE core_userestriction RENAME COLUMN use_condition_rule TO use_restriction_rule`,
  },
  {
    version: '1.8.2',
    migration: '0038_auto_20241018_1733',
    statements: `ALTER TABLE core_exposure DROP COLUMN deprecated_at, DROP COLUMN deprecation_reason, DROP COLUMN is_deprecated`,
  },
  {
    version: '1.8',
    migration: '0036_use_restriction_codes',
    statements: `ALTER TABLE core_access DROP COLUMN application_external_id, DROP COLUMN application_id`,
  },
];

/** The versions that {@link olderSchema} knows, newest first. */
export const olderVersions: readonly string[] = olderForms.map(({ version }) => version);

/** Returns the SQL that turns a DAISY 1.11 into an older version. */
export function olderSchema(older: string): string {
  const last = olderForms.findIndex(({ version }) => version === older);
  const migration = olderForms[last]?.migration ?? 'unknown';
  return [
    ...olderForms.slice(0, last + 1).map(({ statements }) => statements),
    `UPDATE django_migrations SET name = '${migration}' WHERE app = 'core'`,
  ].join(';\n');
}
