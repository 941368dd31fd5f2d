import { custodiansSchema } from '../contacts/contact.schema.js';
import {
  choice,
  externalId,
  flag,
  listOf,
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
    use_class_label: readOnly({ type: ['string', 'null'], description: 'What the code means.' }),
    use_class_note: optionalText('Which disease, country, institution, ... the code is about.'),
    use_condition_note: optionalText('What is to be known about the condition.'),
    use_condition_rule: choice(useConditionRules, 'PROHIBITION', 'What the condition does with the use it names.'),
  },
  ['use_class'],
);

const cohortReference = objectOf(
  {
    cohort: optionalText('Its name.', 500),
    cohort_external_id: optionalText('Its accession; wins over the name.', 255),
  },
  [],
);

const dataDeclaration = objectOf(
  {
    title: requiredText(500, 'The title, which no other declaration of the dataset has.'),
    cohorts: listOf(cohortReference, 'Whose data it is.'),
    data_types: listOf(requiredText(500, 'A type of data, such as `Samples`.'), 'What it holds, sorted.'),
    data_types_notes: optionalText('Notes on the types.'),
    access_category: optionalChoice(accessCategories, 'Under which conditions the data may be accessed.'),
    access_procedure: optionalText('How access is had.'),
    subjects_category: choice(subjectsCategories, 'cases_and_controls', 'Whose data it is.'),
    de_identification: choice(deIdentifications, 'pseudonymization', 'How identities were removed.'),
    consent_status: optionalChoice(consentStatuses, 'Whether all participants consented to the same.'),
    has_special_subjects: {
      type: ['boolean', 'null'],
      default: null,
      description: 'Children, patients, ... or unknown.',
    },
    special_subjects_description: optionalText('Who they are.'),
    embargo_date: optionalDay('Until when the data may not be published.'),
    storage_end_date: optionalDay('Until when the data may be kept.'),
    storage_duration_criteria: optionalText('What decides how long it is kept.'),
    use_conditions: listOf(useCondition, 'Under which conditions the data may be used.'),
  },
  ['title'],
);

const legalBasis = objectOf(
  {
    legal_basis_codes: listOf({ enum: [...legalBasisCodes] }, 'Grounds of article 6 GDPR.'),
    personal_data_codes: listOf({ enum: [...personalDataCodes] }, 'Kinds of personal data.'),
    legal_basis_notes: optionalText('Notes on them.'),
    data_declarations: listOf(
      requiredText(500, 'The title of a declaration.'),
      'The declarations it is about; none means the whole dataset.',
    ),
  },
  [],
);

const storage = objectOf(
  {
    platform: {
      type: ['string', 'null'],
      maxLength: 200,
      description: 'The name of the platform. Null for endpoints that may not know it; a writer names it.',
    },
    location: optionalText('Where on the platform.'),
    category: choice(storageCategories, 'master', 'What the copy is for.'),
    accesses: listOf({ type: 'string', maxLength: 10_000 }, 'Notes on who has access.'),
  },
  ['platform'],
);

const transfer = objectOf(
  {
    partner: optionalText('The partner it went to or came from.', 500),
    transfer_details: optionalText('What was transferred.'),
    transfer_date: optionalDay('When.'),
  },
  [],
);

/** What an endpoint is told of the exposure of a dataset to it. */
const exposureMembers: Readonly<Record<string, JsonSchema>> = {
  form_id: readOnly({ type: 'integer', description: 'The form by which access is requested.' }),
  deprecated: readOnly({ type: 'boolean', description: 'Whether it was withdrawn.' }),
  deprecation_date: readOnly({ type: ['string', 'null'], description: 'When it was withdrawn.' }),
  released_date: readOnly({ type: ['string', 'null'], description: 'When it was exposed.' }),
  deprecation_notes: readOnly({ type: ['string', 'null'], description: 'Why it was withdrawn.' }),
  request_pdf_enabled: readOnly({ ...flag(false, 'Whether a request may be had as PDF.') }),
};

/** A dataset on the wire. */
export const datasetSchema = recordSchema(
  'dataset',
  'A dataset: what it holds, whose data it is, on which grounds, where it lies and under which conditions it may be used.',
  objectOf(
    {
      ...recordMembers,
      external_id: externalId,
      name: requiredText(500, 'The title, which no other dataset has.'),
      description: optionalText('What the dataset is.'),
      uuid: { type: ['string', 'null'], format: 'uuid', default: null, description: 'A UUID. It never changes.' },
      other_external_id: optionalText('An identifier elsewhere, such as a DOI.'),
      project: optionalText('The acronym of its project.', 500),
      project_external_id: optionalText('The accession of its project; wins over the acronym.', 255),
      data_declarations: listOf(dataDeclaration, 'The parts of the dataset.'),
      legal_bases: listOf(legalBasis, 'On which legal grounds it is processed.'),
      storages: listOf(storage, 'Where its copies lie.'),
      transfers: listOf(transfer, 'To and from whom it went.'),
      contacts: custodiansSchema,
      ...exposureMembers,
      metadata,
    },
    ['name'],
  ),
);
