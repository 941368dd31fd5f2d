import type { components } from '../../api/generated/catalog-api.ts';

type Schemas = components['schemas'];
type Declaration = Schemas['Dataset']['data_declarations'][number];
type Contract = Schemas['Contract'];

/** The members that a form shows, of all kinds of record. */
type Field =
  | Writable<Schemas['Project']>
  | Writable<Schemas['Dataset']>
  | Writable<Contract>
  | Writable<Schemas['Partner']>
  | Writable<Schemas['Cohort']>
  | keyof Declaration
  | keyof Declaration['use_conditions'][number]
  | keyof Schemas['Dataset']['legal_bases'][number]
  | keyof Schemas['Dataset']['storages'][number]
  | keyof Schemas['Dataset']['transfers'][number]
  | keyof Schemas['Project']['contacts'][number]
  | keyof Schemas['Project']['publications'][number]
  | keyof Contract['partners'][number]
  | keyof Contract['partners'][number]['contacts'][number];

type Writable<T> = Exclude<keyof T, '$schema' | 'source' | 'updated_at'>;

/** The labels of the members. The compiler requires a label for each member. */
export const fields: Readonly<Record<Field, string>> = {
  acronym: 'Acronym',
  external_id: 'Accession',
  name: 'Name',
  title: 'Title',
  description: 'Description',
  has_institutional_ethics_approval: 'Has the approval of an institutional ethics committee',
  has_national_ethics_approval: 'Has the approval of a national ethics committee',
  institutional_ethics_approval_notes: 'Notes on the institutional approval',
  national_ethics_approval_notes: 'Notes on the national approval',
  has_ethics_approval: 'Has an ethics approval',
  ethics_approval_notes: 'Notes on the approval',
  start_date: 'Begins',
  end_date: 'Ends',
  contacts: 'Contacts',
  publications: 'Publications',
  citation: 'Citation',
  doi: 'DOI',
  metadata: 'Metadata (JSON)',
  uuid: 'UUID',
  elu_uuid: 'UUID (name in ELIXIR)',
  other_external_id: 'Identifier elsewhere',
  project: 'Project',
  project_external_id: 'Accession of the project',
  project_id: 'Project',
  data_declarations: 'Data declarations',
  legal_bases: 'Legal bases',
  storages: 'Storage locations',
  transfers: 'Transfers',
  form_id: 'Form',
  deprecated: 'Withdrawn',
  deprecation_date: 'Withdrawn on',
  released_date: 'Released on',
  deprecation_notes: 'Reason of the withdrawal',
  request_pdf_enabled: 'Request as PDF',
  cohorts: 'Cohorts',
  data_types: 'Data types',
  data_types_notes: 'Notes on the data types',
  access_category: 'Access category',
  access_procedure: 'Access procedure',
  subjects_category: 'Subjects',
  de_identification: 'De-identification',
  consent_status: 'Consent status',
  has_special_subjects: 'Has special subjects',
  special_subjects_description: 'Special subjects',
  embargo_date: 'Embargo until',
  storage_end_date: 'Kept until',
  storage_duration_criteria: 'What decides how long it is kept',
  use_conditions: 'Use conditions',
  use_class: 'Class of use',
  use_class_label: 'Meaning of the class',
  use_class_note: 'What the class is about',
  use_condition_note: 'Notes on the condition',
  use_condition_rule: 'Rule',
  legal_basis_codes: 'Grounds of article 6 GDPR',
  personal_data_codes: 'Kinds of personal data',
  legal_basis_notes: 'Notes on the legal basis',
  platform: 'Platform',
  location: 'Location',
  category: 'Category',
  accesses: 'Who has access',
  partner: 'Partner',
  transfer_details: 'What was transferred',
  transfer_date: 'Transferred on',
  first_name: 'Given name',
  last_name: 'Family name',
  email: 'E-mail address',
  role: 'Role',
  affiliations: 'Affiliations',
  comments: 'Comments',
  local_custodians: 'Local custodians',
  partners: 'Partners',
  partner_roles: 'Roles of the partner',
  pk: 'Number',
  oidc_id: 'Identifier at the identity provider',
  address: 'Address',
  phone: 'Phone',
  type: 'Type',
  is_clinical: 'Is clinical',
  geo_category: 'Where it stands',
  sector_category: 'Sector',
  country_code: 'Country',
  url: 'Web page',
  institutes: 'Institutes',
  id: 'Number',
  id_at_source: 'Number',
  published: 'Published',
};

/** The labels of single entries of lists of objects. */
export const entries: Readonly<Record<string, string>> = {
  data_declarations: 'Data declaration',
  use_conditions: 'Use condition',
  legal_bases: 'Legal basis',
  storages: 'Storage location',
  transfers: 'Transfer',
  contacts: 'Contact',
  publications: 'Publication',
  partners: 'Partner',
  variables: 'Variable',
};

/** The labels of values that need another label than their own text. */
export const words: Readonly<Record<string, string>> = {
  PRIVATE_NP: 'Private, not for profit',
  PRIVATE_P: 'Private, for profit',
  PUBLIC: 'Public',
  EU: 'EU',
  Non_EU: 'Outside the EU',
};

/** Translations of the members' descriptions, which the schemas contain in English. */
export const descriptions: Readonly<Record<string, string>> = {};
