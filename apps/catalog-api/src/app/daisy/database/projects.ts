import { partnerRoles } from '../../../records/contracts/partner-role.entity.js';
import { rawsOf, textOf, type RawRecord } from '../raw-values.js';
import { metadataOf } from './metadata.js';
import { documentsOf, linkedIds, rowMembers, type SourceKind } from './source-kind.js';

/** Reports the documents and committees of a record, whose names only the audit trail keeps. */
export function noteAttachments(record: RawRecord): void {
  if (rawsOf(record.raw['documents']).length > 0) {
    record.note('the names of documents are in the audit trail; the files stay in DAISY');
  }
  if (rawsOf(record.raw['dacs']).length > 0) record.note('the data access committee (DAC) is in the audit trail');
}

function termsOf(category: string): string {
  return `coalesce((SELECT jsonb_agg(jsonb_build_object('term_id', term.term_id, 'label', term.label) ORDER BY term.id)
    FROM core_project_${category}_terms AS link JOIN core_${category}term AS term ON term.id = link.${category}term_id
    WHERE link.project_id = record.id), '[]')`;
}

const custodians = linkedIds(
  { table: 'core_project_local_custodians', parent: 'project_id', value: 'user_id' },
  'core_user',
  'linked.first_name, linked.last_name',
);

const personnel = linkedIds(
  { table: 'core_project_company_personnel', parent: 'project_id', value: 'user_id' },
  'core_user',
  'linked.first_name, linked.last_name',
);

const externalContacts = linkedIds(
  { table: 'core_project_contacts', parent: 'project_id', value: 'contact_id' },
  'core_contact',
  'linked.added',
);

/** Projects with their people, publications and terms. */
export const projects: SourceKind = {
  kind: 'project',
  resource: 'projects',
  row: `to_jsonb(record) || jsonb_build_object(
      'custodians', ${custodians},
      'personnel', ${personnel},
      'contacts', ${externalContacts},
      'publications', coalesce((
        SELECT jsonb_agg(jsonb_build_object('citation', publication.citation, 'doi', publication.doi)
          ORDER BY publication.added, publication.id)
        FROM core_project_publications AS link JOIN core_publication AS publication ON publication.id = link.publication_id
        WHERE link.project_id = record.id), '[]'),
      'umbrella_project', (SELECT coalesce(umbrella.elu_accession, umbrella.acronym) FROM core_project AS umbrella
        WHERE umbrella.id = record.umbrella_project_id),
      'funding_sources', ARRAY(SELECT source.name FROM core_project_funding_sources AS link
        JOIN core_fundingsource AS source ON source.id = link.fundingsource_id
        WHERE link.project_id = record.id ORDER BY source.name),
      'disease_terms', ${termsOf('disease')},
      'phenotype_terms', ${termsOf('phenotype')},
      'study_terms', ${termsOf('study')},
      'gene_terms', ${termsOf('gene')},
      'documents', ${documentsOf('project')})`,
  from: 'core_project AS record ORDER BY record.id',
  convert(record, conversion) {
    const { raw } = record;
    const name = textOf(raw['title']);
    if (name === null) record.note('the name is empty');
    if (textOf(raw['comments']) !== null) record.note('the comments are in the audit trail');
    noteAttachments(record);
    return {
      ...rowMembers(record),
      external_id: textOf(raw['elu_accession']),
      acronym: textOf(raw['acronym']) ?? '',
      name: name ?? '',
      description: textOf(raw['description']),
      has_institutional_ethics_approval: raw['has_erp'],
      has_national_ethics_approval: raw['has_cner'],
      institutional_ethics_approval_notes: textOf(raw['erp_notes']),
      national_ethics_approval_notes: textOf(raw['cner_notes']),
      start_date: raw['start_date'],
      end_date: raw['end_date'],
      custodians: conversion.present(record, 'user', raw['custodians'], 'custodian'),
      personnel: conversion.present(record, 'user', raw['personnel'], 'member of the personnel'),
      contacts: conversion.present(record, 'contact', raw['contacts'], 'contact'),
      publications: rawsOf(raw['publications']).map(({ citation, doi }) => ({
        citation: textOf(citation),
        doi: textOf(doi),
      })),
      metadata: metadataOf(record, publicFacts(record)),
    };
  },
};

/** Returns the public facts on a project for which the catalog has no fields. */
function publicFacts({ raw }: RawRecord): Record<string, unknown> {
  const { umbrella_project, funding_sources, includes_automated_profiling } = raw;
  const { disease_terms, phenotype_terms, study_terms, gene_terms } = raw;
  return {
    web_page: textOf(raw['project_web_page']),
    ...{ umbrella_project, funding_sources, includes_automated_profiling },
    ...{ disease_terms, phenotype_terms, study_terms, gene_terms },
  };
}

/** Contracts of all projects and without a project, with the committees (DAC) that refer to them. */
export const contracts: SourceKind = {
  kind: 'contract',
  resource: 'contracts',
  row: `to_jsonb(record) || jsonb_build_object(
      'custodians', ${linkedIds({ table: 'core_contract_local_custodians', parent: 'contract_id', value: 'user_id' }, 'core_user', 'linked.first_name, linked.last_name')},
      'partner_roles', coalesce((
        SELECT jsonb_agg(to_jsonb(role) || jsonb_build_object(
          'roles', ARRAY(SELECT word.name FROM core_partnerrole_roles AS link
            JOIN core_gdprrole AS word ON word.id = link.gdprrole_id WHERE link.partnerrole_id = role.id ORDER BY word.name),
          'contacts', ARRAY(SELECT link.contact_id FROM core_partnerrole_contacts AS link
            JOIN core_contact AS linked ON linked.id = link.contact_id
            WHERE link.partnerrole_id = role.id ORDER BY linked.added, linked.id)
        ) ORDER BY role.added, role.id) FROM core_partnerrole AS role WHERE role.contract_id = record.id), '[]'),
      'dacs', coalesce((
        SELECT jsonb_agg(to_jsonb(dac) || jsonb_build_object(
          'local_custodians', ARRAY(SELECT user_id FROM core_dac_local_custodians WHERE dac_id = dac.id ORDER BY user_id),
          'members', coalesce((SELECT jsonb_agg(jsonb_build_object('contact_id', contact_id, 'remark', remark) ORDER BY id)
            FROM core_dacmembership WHERE dac_id = dac.id), '[]')
        ) ORDER BY dac.id) FROM core_dac AS dac WHERE dac.contract_id = record.id), '[]'),
      'documents', ${documentsOf('contract')})`,
  from: 'core_contract AS record ORDER BY record.id',
  convert(record, conversion) {
    const { raw } = record;
    const name = textOf(raw['name']);
    if (name === null) record.note('the name is empty');
    noteAttachments(record);
    return {
      ...rowMembers(record),
      name: name ?? '',
      comments: textOf(raw['comments']),
      project_id: conversion.present(record, 'project', [raw['project_id']], 'project')[0] ?? null,
      custodians: conversion.present(record, 'user', raw['custodians'], 'custodian'),
      partner_roles: rawsOf(raw['partner_roles']).flatMap((role) => {
        const [partner] = conversion.present(record, 'partner', [role['partner_id']], 'partner');
        if (partner === undefined) return [];
        return {
          partner_id: partner,
          roles: record.wordsOf(role['roles'], partnerRoles, 'partner role'),
          comments: textOf(role['comments']),
          contacts: conversion.present(record, 'contact', role['contacts'], 'contact of a partner'),
        };
      }),
    };
  },
};
