import { countReferences, type RecordKind } from '../../publishing/writing/record-kind.js';
import { columnsOf } from '../../publishing/writing/rows.js';
import { partnerSchema, type PartnerBody } from './partner.schema.js';

/** How partners are written. */
export const partnerKind: RecordKind<PartnerBody> = {
  list: 'partners',
  word: 'partner',
  schema: partnerSchema,
  naturalKey: 'name',
  accession: 'when published',
  removalConstraints: [
    { dependents: 'contacts', sql: countReferences('contact_affiliations', 'partner_id') },
    { dependents: 'cohorts', sql: countReferences('cohort_institutes', 'partner_id') },
    { dependents: 'data declarations', sql: countReferences('data_declarations', 'partner_id') },
    { dependents: 'transfers', sql: countReferences('transfers', 'partner_id') },
    { dependents: 'contracts', sql: countReferences('partner_roles', 'partner_id') },
  ],
  references: () => [],
  row: (body) => columnsOf(body),
};
