import { geoCategories, sectorCategories } from '../../../records/partners/partner.entity.js';
import { textOf } from '../raw-values.js';
import { metadataOf } from './metadata.js';
import { linkedIds, rowMembers, type SourceKind } from './source-kind.js';

/** Partners, published or not. */
export const partners: SourceKind = {
  kind: 'partner',
  resource: 'partners',
  row: 'to_jsonb(record)',
  from: 'core_partner AS record ORDER BY record.id',
  convert(record) {
    const { raw } = record;
    return {
      ...rowMembers(record),
      external_id: textOf(raw['elu_accession']),
      name: textOf(raw['name']) ?? '',
      acronym: textOf(raw['acronym']),
      is_clinical: raw['is_clinical'],
      geo_category: record.wordOf(raw['geo_category'], geoCategories, 'EU', 'geo_category'),
      sector_category: record.wordOf(raw['sector_category'], sectorCategories, 'PUBLIC', 'sector_category'),
      address: textOf(raw['address']),
      country_code: textOf(raw['country']),
      published: raw['_is_published'],
      metadata: metadataOf(record, {}),
    };
  },
};

/** Cohorts, published or not. */
export const cohorts: SourceKind = {
  kind: 'cohort',
  resource: 'cohorts',
  row: `to_jsonb(record) || jsonb_build_object(
      'owners', ${linkedIds({ table: 'core_cohort_owners', parent: 'cohort_id', value: 'contact_id' }, 'core_contact', 'linked.added')},
      'institutes', ${linkedIds({ table: 'core_cohort_institutes', parent: 'cohort_id', value: 'partner_id' }, 'core_partner', 'linked.name')})`,
  from: 'core_cohort AS record ORDER BY record.id',
  convert(record, conversion) {
    const { raw } = record;
    return {
      ...rowMembers(record),
      external_id: textOf(raw['elu_accession']),
      name: textOf(raw['title']) ?? '',
      description: textOf(raw['comments']),
      url: textOf(raw['cohort_web_page']),
      has_ethics_approval: raw['ethics_confirmation'] === true,
      ethics_approval_notes: textOf(raw['ethics_notes']),
      published: raw['_is_published'],
      contacts: conversion.present(record, 'contact', raw['owners'], 'owner'),
      institutes: conversion.present(record, 'partner', raw['institutes'], 'institute'),
      metadata: metadataOf(record, {}),
    };
  },
};

/** Storage resources. */
export const platforms: SourceKind = {
  kind: 'platform',
  resource: 'platforms',
  row: 'to_jsonb(record)',
  from: 'core_storageresource AS record ORDER BY record.id',
  convert(record, conversion) {
    const name = textOf(record.raw['name']) ?? '';
    return { ...rowMembers(record), name, public: conversion.isPublic(name) };
  },
};
