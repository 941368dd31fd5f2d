import { contactTypes } from '../../records/contacts/contact.entity.js';
import { partnerRoles } from '../../records/contracts/partner-role.entity.js';
import { geoCategories, sectorCategories } from '../../records/partners/partner.entity.js';
import { recordSchemas } from '../../records/definitions/record-schemas.js';
import { countryCodeOf } from './country-codes.js';
import { datasetMembers } from './daisy-dataset.js';
import type { DaisyList } from './daisy-source.js';
import type { MappingReport } from './mapping-report.js';
import { RawRecord, rawOf, rawsOf, textOf, textsOf, type Raw } from './raw-values.js';

/** A document in the catalog's format. */
export type Document = Readonly<Record<string, unknown>>;

/** Members of DAISY that the catalog imports under other names. */
const aliases: Readonly<Record<DaisyList, readonly string[]>> = {
  partners: ['elu_uuid', 'elu_accession'],
  cohorts: ['elu_uuid', 'elu_accession'],
  projects: ['elu_uuid', 'elu_accession'],
  datasets: ['elu_uuid', 'elu_accession'],
  contracts: [],
};

/**
 * Converts DAISY's records to the catalog's documents. Convert partners and projects before records that refer to them.
 */
export class DaisyMapping {
  private readonly partners = new Map<string, string>();
  private readonly projects = new Map<string, string>();

  constructor(private readonly report: MappingReport) {}

  /** Converts a record to a document, and reports the parts that cannot be imported unchanged. */
  documentOf(list: DaisyList, value: unknown): Document {
    const record = new RawRecord(rawOf(value), list, this.report);
    record.reportUnknown([...Object.keys(recordSchemas[list].properties ?? {}), ...aliases[list]]);
    switch (list) {
      case 'partners':
        return this.partner(record);
      case 'cohorts':
        return this.cohort(record);
      case 'projects':
        return this.project(record);
      case 'datasets':
        return { ...recordMembers(record), ...datasetMembers(record) };
      case 'contracts':
        return this.contract(record);
    }
  }

  /** The accession or acronym of each project, by its id in DAISY. */
  get projectNames(): ReadonlyMap<string, string> {
    return this.projects;
  }

  private partner(record: RawRecord): Document {
    const { raw } = record;
    const name = textOf(raw['name']) ?? '';
    const id = textOf(raw['id_at_source']);
    if (id !== null) this.partners.set(id, externalIdOf(raw) ?? name);
    return {
      ...recordMembers(record),
      name,
      acronym: textOf(raw['acronym']),
      is_clinical: raw['is_clinical'] === true,
      geo_category: record.wordOf(raw['geo_category'], geoCategories, 'EU', 'geo_category'),
      sector_category: record.wordOf(raw['sector_category'], sectorCategories, 'PUBLIC', 'sector_category'),
      address: textOf(raw['address']),
      country_code: this.countryCode(record),
    };
  }

  private countryCode(record: RawRecord): string | null {
    const code = textOf(record.raw['country_code']);
    if (code === null) return null;
    const known = countryCodeOf(code);
    if (known === undefined) record.note(`the unknown country_code ${JSON.stringify(code)} was not imported`);
    return known ?? null;
  }

  private cohort(record: RawRecord): Document {
    const { raw } = record;
    const institutes = Array.isArray(raw['institutes']) ? (raw['institutes'] as unknown[]) : [];
    return {
      ...recordMembers(record),
      name: textOf(raw['name']) ?? '',
      description: textOf(raw['description']),
      url: textOf(raw['url']),
      contacts: rawsOf(raw['contacts']).map((contact) => fullContact(record, contact)),
      institutes: institutes.flatMap((id) => {
        const name = this.partners.get(String(id));
        if (name === undefined)
          record.note(`the institute ${String(id)} is not among the partners and was not imported`);
        return name ?? [];
      }),
      has_ethics_approval: raw['has_ethics_approval'] === true,
      ethics_approval_notes: textOf(raw['ethics_approval_notes']),
    };
  }

  private project(record: RawRecord): Document {
    const { raw } = record;
    const name = textOf(raw['name']);
    const acronym = textOf(raw['acronym']) ?? name ?? '';
    const id = textOf(raw['id_at_source']);
    if (id !== null) this.projects.set(id, externalIdOf(raw) ?? acronym);
    const contacts = rawsOf(raw['contacts']).map((contact) => shortContact(record, contact));
    if (contacts.length > 0)
      record.note(`contacts were imported as external contacts; ${custodiansAdvice('projects')}`);
    return {
      ...recordMembers(record),
      acronym,
      name: name ?? '',
      description: textOf(raw['description']),
      has_institutional_ethics_approval: raw['has_institutional_ethics_approval'] === true,
      has_national_ethics_approval: raw['has_national_ethics_approval'] === true,
      institutional_ethics_approval_notes: textOf(raw['institutional_ethics_approval_notes']),
      national_ethics_approval_notes: textOf(raw['national_ethics_approval_notes']),
      start_date: record.dayOf(raw['start_date'], 'start_date'),
      end_date: record.dayOf(raw['end_date'], 'end_date'),
      contacts,
      publications: rawsOf(raw['publications']).map((publication) => ({
        citation: textOf(publication['citation']) ?? textOf(publication['citation_string']),
        doi: textOf(publication['doi']),
      })),
    };
  }

  private contract(record: RawRecord): Document {
    const { raw } = record;
    if (rawsOf(raw['local_custodians']).length > 0) {
      record.note(`local custodians were not imported; ${custodiansAdvice('contracts')}`);
    }
    const project = this.projects.get(String(raw['project_id']));
    if (project === undefined)
      record.note('the project of a contract is not among the projects; the contract was imported without a project');
    return {
      source: textOf(raw['source']),
      name: textOf(raw['name']) ?? `Contract ${String(raw['id'])}`,
      comments: textOf(raw['comments']),
      project: project ?? null,
      partners: rawsOf(raw['partners']).map((role) => ({
        partner: textOf(role['partner']) ?? '',
        partner_roles: record.wordsOf(role['partner_roles'], partnerRoles, 'partner role'),
        comments: textOf(role['comments']),
        contacts: rawsOf(role['contacts']).map((contact) => fullContact(record, contact)),
      })),
    };
  }
}

/** Returns the advice on setting custodians, which a document cannot set. */
function custodiansAdvice(list: string): string {
  return `set custodians under /api/admin/${list}/:id/custodians`;
}

function recordMembers(record: RawRecord): Document {
  return {
    source: textOf(record.raw['source']),
    id_at_source: textOf(record.raw['id_at_source']),
    external_id: externalIdOf(record.raw),
    metadata: record.metadata(),
  };
}

function externalIdOf(raw: Raw): string | null {
  return textOf(raw['external_id']) ?? textOf(raw['elu_accession']);
}

function shortContact(record: RawRecord, raw: Raw): Document {
  return {
    first_name: textOf(raw['first_name']) ?? '',
    last_name: textOf(raw['last_name']) ?? '',
    email: textOf(raw['email']),
    role: record.wordOf(raw['role'], contactTypes, 'Other', 'role of a contact'),
    affiliations: textsOf(raw['affiliations']),
  };
}

function fullContact(record: RawRecord, raw: Raw): Document {
  return {
    email: textOf(raw['email']),
    oidc_id: textOf(raw['oidc_id']),
    first_name: textOf(raw['first_name']) ?? '',
    last_name: textOf(raw['last_name']) ?? '',
    address: textOf(raw['address']),
    phone: textOf(raw['phone']),
    type: record.wordOf(raw['type'], contactTypes, 'Other', 'type of a contact'),
    partners: rawsOf(raw['partners']).flatMap((partner) => {
      const name = textOf(partner['name']);
      return name === null ? [] : { name };
    }),
  };
}
