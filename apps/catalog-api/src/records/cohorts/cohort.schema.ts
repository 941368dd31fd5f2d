import { fullContactSchema, type FullContact } from '../contacts/contact.schema.js';
import { maxId } from '../../platform/database/ids.js';
import {
  externalId,
  flag,
  listOf,
  metadata,
  objectOf,
  optionalText,
  publishedMember,
  recordMembers,
  recordSchema,
  requiredText,
} from '../../publishing/schemas/json-schema.js';

/** A cohort on the wire. */
export const cohortSchema = recordSchema(
  'cohort',
  'A group of study participants.',
  objectOf(
    {
      ...recordMembers,
      external_id: externalId,
      name: requiredText(500, 'The name, which no other cohort has.'),
      description: optionalText('What the cohort is.'),
      url: optionalText('Its page.', 2000),
      contacts: listOf(fullContactSchema, 'Who owns the cohort.'),
      institutes: listOf(
        { type: ['integer', 'string'], minimum: 1, maximum: maxId, minLength: 1, maxLength: 500 },
        'The partners that run it, by their id_at_source. A writer may also name one by external_id, name or acronym.',
      ),
      has_ethics_approval: flag(true, 'Whether an ethics committee approved it.'),
      ethics_approval_notes: optionalText('Notes on the approval.'),
      metadata,
      published: publishedMember,
    },
    ['name'],
  ),
);

/** A cohort as a writer sends it, with every member that was left out. */
export interface CohortBody {
  external_id: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly url: string | null;
  readonly contacts: readonly FullContact[];
  readonly institutes: readonly (number | string)[];
  readonly has_ethics_approval: boolean;
  readonly ethics_approval_notes: string | null;
  readonly metadata: string;
}
