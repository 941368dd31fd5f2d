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

/** A contact of a cohort, or of a partner in a contract. */
export const fullContactSchema = objectOf(
  {
    pk: readOnly({ type: ['string', 'null'], description: 'Its number in this catalog.' }),
    email: optionalText('Hidden from callers without a key.', 254),
    oidc_id: optionalText('Their identifier at the identity provider. Hidden from callers without a key.', 255),
    first_name: plainText(255, 'Given name.'),
    last_name: plainText(255, 'Family name.'),
    address: optionalText('The postal address. Hidden from callers without a key.'),
    phone: optionalText('Hidden from callers without a key.', 100),
    type: choice(contactTypes, 'Other', 'What they are.'),
    partners: listOf(
      objectOf({ acronym: optionalText('Its short name.', 200), name: requiredText(500, 'Its name.') }, ['name']),
      'Whom they belong to, the main affiliation first.',
    ),
  },
  [],
);

/** A contact of a project. */
export const shortContactSchema = objectOf(
  {
    first_name: plainText(255, 'Given name.'),
    last_name: plainText(255, 'Family name.'),
    email: optionalText('Their address.', 254),
    role: choice(contactTypes, 'Other', 'What they are.'),
    affiliations: listOf(
      requiredText(500, 'The name of a partner.'),
      'Whom they belong to, the main affiliation first.',
    ),
  },
  [],
);

/** The local custodians of a record, as contacts. They are set by administrators, so a writer is not heard on them. */
export const custodiansSchema = readOnly({
  ...listOf({ ...shortContactSchema, required: ['first_name', 'last_name', 'email', 'role', 'affiliations'] }, ''),
  description: 'The local custodians. They are set under /api/admin and ignored here.',
});

/** A full contact in normal form. */
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

/** A short contact in normal form. */
export interface ShortContact {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly role: string;
  readonly affiliations: readonly string[];
}
