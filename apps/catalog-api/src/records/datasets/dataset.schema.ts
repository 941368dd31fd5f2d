import { maxNameLength } from '../../platform/database/lengths.js';
import { healthMember, healthSchema } from './health-description.js';
import { custodiansSchema } from '../contacts/contact.schema.js';
import {
  choice,
  externalId,
  flag,
  listOf,
  maxNotes,
  metadata,
  objectOf,
  optionalChoice,
  optionalDay,
  optionalText,
  recordMembers,
  recordSchema,
  requiredText,
  readOnly,
  type JsonSchema,
} from '../../publishing/schemas/json-schema.js';
import { accessCategories, consentStatuses, deIdentifications, subjectsCategories } from './data-declaration.entity.js';
import { legalBasisCodes, personalDataCodes } from './legal-basis.entity.js';
import { storageCategories } from './storage-location.entity.js';
import { useClassCodes, useConditionRules } from './use-condition.entity.js';

const useCondition = objectOf(
  {
    use_class: { enum: [...useClassCodes], description: 'A consent code of the GA4GH.' },
    use_class_label: readOnly({ type: ['string', 'null'], description: 'The label of the consent code.' }),
    use_class_note: optionalText('The disease, country, institution etc. to which the consent code refers.'),
    use_condition_note: optionalText('Notes on the condition.'),
    use_condition_rule: choice(
      useConditionRules,
      'PROHIBITION',
      'Whether the condition prohibits, requires or permits the use.',
    ),
  },
  ['use_class'],
);

const cohortReference = objectOf(
  {
    cohort: optionalText('The name of the cohort.', maxNameLength),
    cohort_external_id: optionalText('The accession of the cohort. If present, the name is ignored.', 255),
  },
  [],
);

const dataDeclaration = objectOf(
  {
    title: requiredText(maxNameLength, 'The title, which is unique in the dataset.'),
    cohorts: listOf(cohortReference, 'The cohorts from which the data come.'),
    data_types: listOf(
      requiredText(maxNameLength, 'A type of data, such as `Samples`.'),
      'The types of the data, sorted.',
    ),
    data_types_notes: optionalText('Notes on the types of the data.'),
    access_category: optionalChoice(accessCategories, 'The category of access to the data.'),
    access_procedure: optionalText('The procedure to get access.'),
    subjects_category: choice(subjectsCategories, 'cases_and_controls', 'The participants from whom the data come.'),
    de_identification: choice(deIdentifications, 'pseudonymization', 'The method by which identities were removed.'),
    consent_status: optionalChoice(consentStatuses, 'Whether all participants gave the same consent.'),
    has_special_subjects: {
      type: ['boolean', 'null'],
      default: null,
      description: 'Whether there are special participants, such as children. null if unknown.',
    },
    special_subjects_description: optionalText('A description of the special participants.'),
    embargo_date: optionalDay('The last day of the embargo on publication.'),
    storage_end_date: optionalDay('The last day on which the data may be stored.'),
    storage_duration_criteria: optionalText('The criteria for the duration of storage.'),
    use_conditions: listOf(useCondition, 'The conditions of use.'),
  },
  ['title'],
);

const legalBasis = objectOf(
  {
    legal_basis_codes: listOf({ enum: [...legalBasisCodes] }, 'Legal bases of article 6 GDPR.'),
    personal_data_codes: listOf({ enum: [...personalDataCodes] }, 'The kinds of personal data.'),
    legal_basis_notes: optionalText('Notes on the legal basis.'),
    data_declarations: listOf(
      requiredText(maxNameLength, 'The title of a data declaration.'),
      'The data declarations to which the legal basis applies. If empty, it applies to the whole dataset.',
    ),
  },
  [],
);

const storage = objectOf(
  {
    platform: {
      type: ['string', 'null'],
      maxLength: maxNameLength,
      description: 'The name of the platform. Required in a write. null for endpoints if the platform is not public.',
    },
    location: optionalText('The path or address on the platform.'),
    category: choice(storageCategories, 'master', 'The purpose of the copy.'),
    accesses: listOf({ type: 'string', maxLength: maxNotes }, 'Notes on the people who have access.'),
  },
  ['platform'],
);

const transfer = objectOf(
  {
    partner: optionalText('The name of the partner that received or sent the data.', maxNameLength),
    transfer_details: optionalText('A description of the transferred data.'),
    transfer_date: optionalDay('The day of the transfer.'),
  },
  [],
);

/** Members that describe the exposure of a dataset to the endpoint that reads the dataset. */
const exposureMembers: Readonly<Record<string, JsonSchema>> = {
  form_id: readOnly({
    type: 'integer',
    description: 'The id of the form in the access-request system. Only endpoints read this member.',
  }),
  deprecated: readOnly({
    type: 'boolean',
    description: 'Whether the exposure is deprecated. Only endpoints read this member.',
  }),
  deprecation_date: readOnly({
    type: ['string', 'null'],
    description: 'The time at which the exposure was deprecated. Only endpoints read this member.',
  }),
  released_date: readOnly({
    type: ['string', 'null'],
    description: 'The time of the exposure. Only endpoints read this member.',
  }),
  deprecation_notes: readOnly({
    type: ['string', 'null'],
    description: 'The reason of the deprecation. Only endpoints read this member.',
  }),
  request_pdf_enabled: readOnly({
    ...flag(false, 'Whether a request is available as PDF. Only endpoints read this member.'),
  }),
};

/** The JSON Schema of a dataset. */
export const datasetSchema = recordSchema(
  'dataset',
  'A dataset: its content, participants, legal bases, storage locations and conditions of use.',
  objectOf(
    {
      ...recordMembers,
      external_id: externalId,
      name: requiredText(maxNameLength, 'The title, which is unique among datasets.'),
      description: optionalText('A description of the dataset.'),
      uuid: {
        type: ['string', 'null'],
        format: 'uuid',
        default: null,
        description: 'The UUID of the dataset, which never changes.',
      },
      elu_uuid: {
        type: ['string', 'null'],
        format: 'uuid',
        default: null,
        description: 'The same value as `uuid`, under the name that DAISY uses. A write with `uuid` ignores it.',
      },
      other_external_id: optionalText('An identifier in another system, such as a DOI.'),
      project: optionalText('The acronym of the project.', 500),
      project_external_id: optionalText('The accession of the project. If present, the acronym is ignored.', 255),
      data_declarations: listOf(dataDeclaration, 'The parts of the dataset.'),
      legal_bases: listOf(legalBasis, 'The legal bases on which the dataset is processed.'),
      storages: listOf(storage, 'The storage locations of the copies.'),
      transfers: listOf(transfer, 'The transfers to and from partners.'),
      contacts: custodiansSchema,
      ...exposureMembers,
      metadata: { ...metadata, contentSchema: { type: 'object', properties: { [healthMember]: healthSchema } } },
    },
    ['name'],
  ),
);
