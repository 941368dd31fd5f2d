import type { RecordKind } from '../writing/record-kind.js';
import { columnsOf } from '../writing/rows.js';
import { partnerSchema, type PartnerBody } from './partner.schema.js';

/** How partners are written. */
export const partnerKind: RecordKind<PartnerBody> = {
  list: 'partners',
  word: 'partner',
  schema: partnerSchema,
  naturalKey: 'name',
  accession: 'when published',
  hindrances: [
    { what: 'contacts', sql: hindranceSql('contact_affiliations') },
    { what: 'cohorts', sql: hindranceSql('cohort_institutes') },
    { what: 'data declarations', sql: hindranceSql('data_declarations') },
    { what: 'transfers', sql: hindranceSql('transfers') },
    { what: 'contracts', sql: hindranceSql('partner_roles') },
  ],
  references: () => [],
  row: (body) => columnsOf(body),
};

function hindranceSql(table: string): string {
  return `SELECT partner_id AS id, count(*)::integer AS count FROM ${table} WHERE partner_id = ANY ($1) GROUP BY partner_id`;
}
