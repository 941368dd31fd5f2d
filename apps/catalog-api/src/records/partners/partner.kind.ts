import { countOf, type RecordKind } from '../../publishing/writing/record-kind.js';
import { columnsOf } from '../../publishing/writing/rows.js';
import { partnerSchema, type PartnerBody } from './partner.schema.js';

/** The rules for writing partners. */
export const partnerKind: RecordKind<PartnerBody> = {
  list: 'partners',
  word: 'partner',
  schema: partnerSchema,
  naturalKey: 'name',
  accession: 'when published',
  removalConstraints: [
    { what: 'contacts', sql: countOf('contact_affiliations', 'partner_id') },
    { what: 'cohorts', sql: countOf('cohort_institutes', 'partner_id') },
    { what: 'data declarations', sql: countOf('data_declarations', 'partner_id') },
    { what: 'transfers', sql: countOf('transfers', 'partner_id') },
    { what: 'contracts', sql: countOf('partner_roles', 'partner_id') },
  ],
  references: () => [],
  row: (body) => columnsOf(body),
};
