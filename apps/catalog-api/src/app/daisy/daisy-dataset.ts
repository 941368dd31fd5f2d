import {
  accessCategories,
  consentStatuses,
  deIdentifications,
  subjectsCategories,
} from '../../records/datasets/data-declaration.entity.js';
import { legalBasisCodes, personalDataCodes } from '../../records/datasets/legal-basis.entity.js';
import { storageCategories } from '../../records/datasets/storage-location.entity.js';
import { useClassCodes, useConditionRules } from '../../records/datasets/use-condition.entity.js';
import { rawsOf, textOf, textsOf, type Raw, type RawRecord } from './raw-values.js';

type Members = Readonly<Record<string, unknown>>;

/** Returns the members of a dataset that other records do not have. */
export function datasetMembers(record: RawRecord): Members {
  const { raw } = record;
  if (rawsOf(raw['contacts']).length > 0) {
    record.note('local custodians were not imported; set custodians under /api/admin/datasets/:id/custodians');
  }
  if (raw['form_id'] !== undefined) {
    record.note('exposures were not imported; expose datasets under /api/datasets/:id/exposures');
  }
  const declarations = rawsOf(raw['data_declarations']);
  const titles = declarations.map(({ title }) => title);
  return {
    name: textOf(raw['name']) ?? '',
    description: textOf(raw['description']),
    uuid: textOf(raw['uuid']) ?? textOf(raw['elu_uuid']),
    other_external_id: textOf(raw['other_external_id']),
    project: textOf(raw['project']),
    project_external_id: textOf(raw['project_external_id']),
    data_declarations: declarations.map((declaration) => declarationOf(record, declaration)),
    legal_bases: rawsOf(raw['legal_bases']).map((basis) => ({
      legal_basis_codes: record.wordsOf(basis['legal_basis_codes'], legalBasisCodes, 'legal basis'),
      personal_data_codes: record.wordsOf(basis['personal_data_codes'], personalDataCodes, 'kind of personal data'),
      legal_basis_notes: textOf(basis['legal_basis_notes']),
      data_declarations: textsOf(basis['data_declarations']).filter((title) => titles.includes(title)),
    })),
    storages: rawsOf(raw['storages']).flatMap((storage) => storageOf(record, storage)),
    transfers: rawsOf(raw['transfers']).map((transfer) => ({
      partner: textOf(transfer['partner']),
      transfer_details: textOf(transfer['transfer_details']),
      transfer_date: record.dayOf(transfer['transfer_date'], 'transfer_date'),
    })),
  };
}

function declarationOf(record: RawRecord, raw: Raw): Members {
  const consent = raw['consent_status'] === 'unknown' ? null : raw['consent_status'];
  return {
    title: textOf(raw['title']) ?? '',
    cohorts: rawsOf(raw['cohorts']).map(({ cohort, cohort_external_id }) => ({
      cohort: textOf(cohort),
      cohort_external_id: textOf(cohort_external_id),
    })),
    data_types: textsOf(raw['data_types']).map((name) => name.replaceAll('_', ' ')),
    data_types_notes: textOf(raw['data_types_notes']) ?? textOf(raw['data_type_notes']),
    access_category: record.wordOf(raw['access_category'], accessCategories, null, 'access_category'),
    access_procedure: textOf(raw['access_procedure']),
    subjects_category: record.wordOf(
      raw['subjects_category'],
      subjectsCategories,
      'cases_and_controls',
      'subjects_category',
    ),
    de_identification: record.wordOf(
      raw['de_identification'],
      deIdentifications,
      'pseudonymization',
      'de_identification',
    ),
    consent_status: record.wordOf(consent, consentStatuses, null, 'consent_status'),
    has_special_subjects: typeof raw['has_special_subjects'] === 'boolean' ? raw['has_special_subjects'] : null,
    special_subjects_description: textOf(raw['special_subjects_description']),
    embargo_date: record.dayOf(raw['embargo_date'], 'embargo_date'),
    storage_end_date: record.dayOf(raw['storage_end_date'], 'storage_end_date'),
    storage_duration_criteria: textOf(raw['storage_duration_criteria']),
    use_conditions: rawsOf(raw['use_conditions']).map((condition) => conditionOf(record, condition)),
  };
}

/** Returns a use condition. An unknown use class becomes `Other`, and the note starts with the original class. */
export function conditionOf(record: RawRecord, raw: Raw): Members {
  const code = textOf(raw['use_class']);
  const known = useClassCodes.find((each) => each === code);
  const note = textOf(raw['use_class_note']);
  if (!known) record.note(`the unknown use_class ${JSON.stringify(code)} was replaced by "Other"`);
  const rule = raw['use_condition_rule'];
  return {
    use_class: known ?? 'Other',
    use_class_note: known ? note : [code, note].filter((each) => each !== null).join(': '),
    use_condition_note: textOf(raw['use_condition_note']),
    use_condition_rule: record.wordOf(rule, useConditionRules, 'PROHIBITION', 'use_condition_rule'),
  };
}

function storageOf(record: RawRecord, raw: Raw): Members[] {
  const platform = textOf(raw['platform']);
  if (platform === null) {
    record.note('a storage without a platform was not imported');
    return [];
  }
  return [
    {
      platform,
      location: locationOf(record, raw['location']),
      category: record.wordOf(raw['category'], storageCategories, 'master', 'category of a storage'),
      accesses: textsOf(raw['accesses']),
    },
  ];
}

/** Returns a location. DAISY's import splits a text into lines of one character each; this function joins them. */
export function locationOf(record: RawRecord, value: unknown): string | null {
  if (Array.isArray(value)) return textsOf(value).join('\n') || null;
  const text = textOf(value);
  if (text === null || text.length < 4 || !/^([^\n]\n)+[^\n]?$/.test(text)) return text;
  record.note('a location with one line per character was joined to one line');
  return text.replace(/\n/g, '');
}
