import { maxNameLength } from '../../platform/database/lengths.js';
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

/** The JSON Schema of a partner. */
export const partnerSchema = recordSchema(
  'partner',
  'An organisation that takes part in research: a university, a hospital, a company.',
  objectOf(
    {
      ...recordMembers,
      external_id: externalId,
      name: requiredText(maxNameLength, 'The full name, which is unique among partners.'),
      acronym: optionalText('The short name.', maxNameLength),
      is_clinical: flag(false, 'Whether the partner treats patients.'),
      geo_category: choice(geoCategories, 'EU', 'The geographical category of the partner.'),
      sector_category: choice(
        sectorCategories,
        'PUBLIC',
        'The sector: public, private non-profit or private for-profit.',
      ),
      address: optionalText('The postal address.'),
      country_code: {
        type: ['string', 'null'],
        pattern: '^[A-Z]{2}$',
        default: null,
        description: 'The country, as an ISO 3166-1 alpha-2 code.',
      },
      metadata,
      published: publishedMember,
    },
    ['name'],
  ),
);

/** A partner as a caller writes it, with the defaults of absent members. */
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
