import {
  choice,
  externalId,
  flag,
  metadata,
  objectOf,
  optionalText,
  publishedMember,
  recordMembers,
  recordSchema,
  requiredText,
} from '../../publishing/schemas/json-schema.js';
import { geoCategories, sectorCategories } from './partner.entity.js';

/** A partner on the wire. */
export const partnerSchema = recordSchema(
  'partner',
  'An organisation that takes part in research: a university, a hospital, a company.',
  objectOf(
    {
      ...recordMembers,
      external_id: externalId,
      name: requiredText(500, 'The full name, which no other partner has.'),
      acronym: optionalText('The short name.', 200),
      is_clinical: flag(false, 'Whether it treats patients.'),
      geo_category: choice(geoCategories, 'EU', 'Where it stands in law.'),
      sector_category: choice(sectorCategories, 'PUBLIC', 'Public, private for no profit, or private for profit.'),
      address: optionalText('The postal address.'),
      country_code: {
        type: ['string', 'null'],
        pattern: '^[A-Z]{2}$',
        default: null,
        description: 'ISO 3166-1 alpha-2.',
      },
      metadata,
      published: publishedMember,
    },
    ['name'],
  ),
);

/** A partner as a writer sends it, with every member that was left out. */
export interface PartnerBody {
  external_id: string | null;
  readonly name: string;
  readonly acronym: string | null;
  readonly is_clinical: boolean;
  readonly geo_category: string;
  readonly sector_category: string;
  readonly address: string | null;
  readonly country_code: string | null;
  readonly metadata: string;
}
