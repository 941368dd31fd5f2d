import { maxNameLength } from '../../platform/database/lengths.js';
import {
  choice,
  listOf,
  objectOf,
  optionalText,
  plainText,
  requiredText,
  readOnly,
} from '../../publishing/schemas/json-schema.js';
import { contactTypes } from './contact.entity.js';

const givenName = 'Given name. If only the family name is known, the given name is exported as `-`.';
const familyName = 'Family name. If only the given name is known, the family name is exported as `-`.';

/** A contact of a cohort, or of a partner in a contract. */
export const fullContactSchema = objectOf(
  {
    pk: readOnly({ type: ['string', 'null'], description: 'The id of the contact in this catalog.' }),
    email: optionalText('The e-mail address. null for callers without a key.', 254),
    oidc_id: optionalText(
      'The identifier of the contact at the identity provider. null for callers without a key.',
      255,
    ),
    first_name: plainText(maxNameLength, givenName),
    last_name: plainText(maxNameLength, familyName),
    address: optionalText('The postal address. null for callers without a key.'),
    phone: optionalText('The telephone number. null for callers without a key.'),
    type: choice(contactTypes, 'Other', 'The role of the contact.'),
    partners: listOf(
      objectOf(
        {
          acronym: optionalText('The short name of the partner.', maxNameLength),
          name: requiredText(maxNameLength, 'The name of the partner.'),
        },
        ['name'],
      ),
      'The partners to which the contact belongs, the main affiliation first.',
    ),
  },
  [],
);

/** A contact of a project. */
export const shortContactSchema = objectOf(
  {
    first_name: plainText(maxNameLength, givenName),
    last_name: plainText(maxNameLength, familyName),
    email: optionalText('The e-mail address.', 254),
    role: choice(contactTypes, 'Other', 'The role of the contact.'),
    affiliations: listOf(
      requiredText(maxNameLength, 'The name of a partner.'),
      'The partners to which the contact belongs, the main affiliation first.',
    ),
  },
  [],
);

/** The local custodians of a record, as contacts. Only administrators set custodians, so a write ignores them. */
export const custodiansSchema = readOnly({
  ...listOf({ ...shortContactSchema, required: ['first_name', 'last_name', 'email', 'role', 'affiliations'] }, ''),
  description: 'The local custodians. Administrators set custodians under /api/admin; a write ignores this member.',
});

/** A full contact with all members. */
export interface FullContact {
  readonly email: string | null;
  readonly oidc_id: string | null;
  readonly first_name: string;
  readonly last_name: string;
  readonly address: string | null;
  readonly phone: string | null;
  readonly type: string;
  readonly partners: readonly { readonly acronym: string | null; readonly name: string }[];
}

/** A short contact with all members. */
export interface ShortContact {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly role: string;
  readonly affiliations: readonly string[];
}
