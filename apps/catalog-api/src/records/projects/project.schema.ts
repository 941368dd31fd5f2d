import { shortContactSchema, type ShortContact } from '../contacts/contact.schema.js';
import {
  externalId,
  flag,
  listOf,
  metadata,
  objectOf,
  optionalDay,
  optionalText,
  plainText,
  recordMembers,
  recordSchema,
  requiredText,
} from '../../publishing/schemas/json-schema.js';

/** A project on the wire. */
export const projectSchema = recordSchema(
  'project',
  'A research project, under which datasets and contracts stand.',
  objectOf(
    {
      ...recordMembers,
      acronym: requiredText(200, 'The short name, which no other project has.'),
      external_id: externalId,
      name: plainText(500, 'The title.'),
      description: optionalText('What the project is about.'),
      has_institutional_ethics_approval: flag(false, 'Whether the ethics panel of the institution approved it.'),
      has_national_ethics_approval: flag(false, 'Whether the national ethics committee approved it.'),
      institutional_ethics_approval_notes: optionalText('Notes on the approval of the institution.'),
      national_ethics_approval_notes: optionalText('Notes on the national approval.'),
      start_date: optionalDay('When it began.'),
      end_date: optionalDay('When it ends.'),
      contacts: listOf(
        shortContactSchema,
        'External contacts, then local custodians, then personnel. One that a custodian or a member of the personnel ' +
          'is told as stays that; all others that a writer sends are external contacts.',
      ),
      publications: listOf(
        objectOf({ citation: optionalText('How it is cited.'), doi: optionalText('Its DOI.', 500) }, []),
        'What was published.',
      ),
      metadata,
    },
    ['acronym'],
  ),
);

/** A project as a writer sends it, with every member that was left out. */
export interface ProjectBody {
  readonly acronym: string;
  external_id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly has_institutional_ethics_approval: boolean;
  readonly has_national_ethics_approval: boolean;
  readonly institutional_ethics_approval_notes: string | null;
  readonly national_ethics_approval_notes: string | null;
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly contacts: readonly ShortContact[];
  readonly publications: readonly { readonly citation: string | null; readonly doi: string | null }[];
  readonly metadata: string;
}
