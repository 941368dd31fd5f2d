import {
  accessCategories,
  consentStatuses,
  deIdentifications,
  subjectsCategories,
} from '../../../records/datasets/data-declaration.entity.js';
import { legalBasisCodes, personalDataCodes } from '../../../records/datasets/legal-basis.entity.js';
import { storageCategories } from '../../../records/datasets/storage-location.entity.js';
import { conditionOf, locationOf } from '../daisy-dataset.js';
import { rawsOf, textOf, textsOf, type Raw, type RawRecord } from '../raw-values.js';
import { metadataOf } from './metadata.js';
import { noteAttachments } from './projects.js';
import { documentsOf, linkedIds, rowMembers, type Conversion, type SourceKind } from './source-kind.js';

const custodians = linkedIds(
  { table: 'core_dataset_local_custodians', parent: 'dataset_id', value: 'user_id' },
  'core_user',
  'linked.first_name, linked.last_name',
);

/** The SQL of a list of titles of the data declarations to which a row refers. */
function declaredBy(row: string): string {
  return `ARRAY(SELECT declaration.title FROM core_${row}_data_declarations AS link
    JOIN core_datadeclaration AS declaration ON declaration.id = link.datadeclaration_id
    WHERE link.${row}_id = ${row}.id ORDER BY declaration.added, declaration.id)`;
}

const declarations = `
  SELECT jsonb_agg(to_jsonb(declaration) || jsonb_build_object(
    'cohorts', ARRAY(SELECT link.cohort_id FROM core_datadeclaration_cohorts AS link
      JOIN core_cohort AS linked ON linked.id = link.cohort_id
      WHERE link.datadeclaration_id = declaration.id ORDER BY linked.added, linked.id),
    'data_types', ARRAY(SELECT DISTINCT type.name FROM (
        SELECT datatype_id FROM core_datadeclaration_data_types_generated WHERE datadeclaration_id = declaration.id
        UNION SELECT datatype_id FROM core_datadeclaration_data_types_received WHERE datadeclaration_id = declaration.id
      ) AS link JOIN core_datatype AS type ON type.id = link.datatype_id ORDER BY type.name),
    'data_types_generated', ARRAY(SELECT type.name FROM core_datadeclaration_data_types_generated AS link
      JOIN core_datatype AS type ON type.id = link.datatype_id WHERE datadeclaration_id = declaration.id ORDER BY type.name),
    'parents', ARRAY(SELECT to_datadeclaration_id FROM core_datadeclaration_data_declarations_parents
      WHERE from_datadeclaration_id = declaration.id ORDER BY to_datadeclaration_id),
    'use_conditions', coalesce((
      SELECT jsonb_agg(jsonb_build_object('use_class', condition.condition_class, 'use_class_note', condition.use_class_note,
        'use_condition_note', condition.notes, 'use_condition_rule', condition.use_condition_rule)
        ORDER BY condition.added, condition.id)
      FROM core_usecondition AS condition WHERE condition.data_declaration_id = declaration.id), '[]')
  ) ORDER BY declaration.added, declaration.id)
  FROM core_datadeclaration AS declaration WHERE declaration.dataset_id = record.id`;

const legalBases = `
  SELECT jsonb_agg(to_jsonb(legalbasis) || jsonb_build_object(
    'legal_basis_codes', ARRAY(SELECT type.code FROM core_legalbasis_legal_basis_types AS link
      JOIN core_legalbasistype AS type ON type.id = link.legalbasistype_id
      WHERE link.legalbasis_id = legalbasis.id ORDER BY type.code),
    'personal_data_codes', ARRAY(SELECT type.code FROM core_legalbasis_personal_data_types AS link
      JOIN core_personaldatatype AS type ON type.id = link.personaldatatype_id
      WHERE link.legalbasis_id = legalbasis.id ORDER BY type.code),
    'data_declarations', ${declaredBy('legalbasis')}
  ) ORDER BY legalbasis.added, legalbasis.id)
  FROM core_legalbasis AS legalbasis WHERE legalbasis.dataset_id = record.id`;

const locations = `
  SELECT jsonb_agg(to_jsonb(datalocation) || jsonb_build_object(
    'accesses', ARRAY(SELECT access.access_notes FROM core_access_defined_on_locations AS link
      JOIN core_access AS access ON access.id = link.access_id
      WHERE link.datalocation_id = datalocation.id ORDER BY access.added, access.id),
    'data_types', ARRAY(SELECT type.name FROM core_datalocation_datatypes AS link
      JOIN core_datatype AS type ON type.id = link.datatype_id WHERE link.datalocation_id = datalocation.id ORDER BY type.name),
    'data_declarations', ${declaredBy('datalocation')}
  ) ORDER BY datalocation.added, datalocation.id)
  FROM core_datalocation AS datalocation WHERE datalocation.dataset_id = record.id`;

const shares = `
  SELECT jsonb_agg(to_jsonb(share) || jsonb_build_object(
    'type', (SELECT type.name FROM core_datalogtype AS type WHERE type.id = share.data_log_type_id),
    'data_declarations', ${declaredBy('share')}
  ) ORDER BY share.added, share.id)
  FROM core_share AS share WHERE share.dataset_id = record.id`;

/** Datasets with their data declarations, legal bases, storage locations and logbook. */
export const datasets: SourceKind = {
  kind: 'dataset',
  resource: 'datasets',
  row: `to_jsonb(record) || jsonb_build_object(
      'custodians', ${custodians},
      'sensitivity', (SELECT class.code FROM core_sensitivityclass AS class WHERE class.id = record.sensitivity_id),
      'declarations', coalesce((${declarations}), '[]'),
      'legal_bases', coalesce((${legalBases}), '[]'),
      'locations', coalesce((${locations}), '[]'),
      'shares', coalesce((${shares}), '[]'),
      'documents', ${documentsOf('dataset')})`,
  from: 'core_dataset AS record ORDER BY record.id',
  convert(record, conversion) {
    const { raw } = record;
    noteAttachments(record);
    if (typeof raw['dac_id'] === 'number') record.note('the data access committee (DAC) is in the audit trail');
    return {
      ...rowMembers(record),
      external_id: textOf(raw['elu_accession']),
      name: textOf(raw['title']) ?? '',
      description: textOf(raw['comments']),
      uuid: raw['unique_id'],
      other_external_id: textOf(raw['other_external_id']),
      project_id: conversion.present(record, 'project', [raw['project_id']], 'project')[0] ?? null,
      custodians: conversion.present(record, 'user', raw['custodians'], 'custodian'),
      data_declarations: rawsOf(raw['declarations']).map((declaration) =>
        declarationOf(record, declaration, conversion),
      ),
      legal_bases: rawsOf(raw['legal_bases']).map((basis) => ({
        legal_basis_codes: record.wordsOf(basis['legal_basis_codes'], legalBasisCodes, 'legal basis'),
        personal_data_codes: record.wordsOf(basis['personal_data_codes'], personalDataCodes, 'kind of personal data'),
        legal_basis_notes: textOf(basis['remarks']),
        data_declarations: textsOf(basis['data_declarations']),
      })),
      storages: rawsOf(raw['locations']).flatMap((location) => storageOf(record, location, conversion)),
      transfers: rawsOf(raw['shares']).map((share) => transferOf(record, share, conversion)),
      metadata: metadataOf(record, {
        sensitivity_class: raw['sensitivity'],
        data_declarations: rawsOf(raw['declarations']).flatMap(factsOfDeclaration),
      }),
    };
  },
};

function declarationOf(record: RawRecord, raw: Raw, conversion: Conversion): object {
  const consent = raw['consent_status'] === 'unknown' ? null : raw['consent_status'];
  if (textOf(raw['comments']) !== null) record.note('the comments of a data declaration are in the audit trail');
  return {
    title: textOf(raw['title']) ?? '',
    cohorts: conversion.present(record, 'cohort', raw['cohorts'], 'cohort'),
    data_types: textsOf(raw['data_types']),
    data_types_notes: textOf(raw['data_types_notes']),
    access_category: record.wordOf(raw['share_category'], accessCategories, null, 'access_category'),
    access_procedure: textOf(raw['access_procedure']),
    subjects_category: record.wordOf(
      raw['subjects_category'],
      subjectsCategories,
      'cases_and_controls',
      'subjects_category',
    ),
    de_identification: record.wordOf(
      raw['deidentification_method'],
      deIdentifications,
      'pseudonymization',
      'de_identification',
    ),
    consent_status: record.wordOf(consent, consentStatuses, null, 'consent_status'),
    has_special_subjects: raw['has_special_subjects'],
    special_subjects_description: textOf(raw['special_subjects_description']),
    embargo_date: raw['embargo_date'],
    storage_end_date: raw['end_of_storage_duration'],
    storage_duration_criteria: textOf(raw['storage_duration_criteria']),
    partner_id: conversion.present(record, 'partner', [raw['partner_id']], 'provider')[0] ?? null,
    use_conditions: rawsOf(raw['use_conditions']).map((condition) => conditionOf(record, condition)),
  };
}

/** Returns the public facts on a declaration for which the catalog has no fields, if there are any. */
function factsOfDeclaration(raw: Raw): object[] {
  const facts = Object.entries({
    contract_id: raw['contract_id'],
    submission_id: textOf(raw['submission_id']),
    other_external_id: textOf(raw['other_external_id']),
  }).filter(([, value]) => value !== null);
  return facts.length === 0 ? [] : [{ title: raw['title'], ...Object.fromEntries(facts) }];
}

function storageOf(record: RawRecord, raw: Raw, conversion: Conversion): object[] {
  const [platform] = conversion.present(record, 'platform', [raw['backend_id']], 'platform of a storage location');
  if (platform === undefined) return [];
  return [
    {
      platform_id: platform,
      location: locationOf(record, raw['location_description']),
      category: record.wordOf(raw['category'], storageCategories, 'master', 'category of a storage'),
      accesses: textsOf(raw['accesses']),
    },
  ];
}

function transferOf(record: RawRecord, raw: Raw, conversion: Conversion): object {
  const type = textOf(raw['type']);
  if (type !== 'Transfer')
    record.note(`the type ${type === null ? 'of a' : `"${type}" of a`} logbook entry is in the audit trail`);
  return {
    partner_id: conversion.present(record, 'partner', [raw['partner_id']], 'partner of a transfer')[0] ?? null,
    transfer_details: textOf(raw['share_notes']),
    transfer_date: raw['granted_on'],
  };
}
