import { maxNameLength } from '../../platform/database/lengths.js';
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

/** The JSON Schema of a cohort. */
export const cohortSchema = recordSchema(
  'cohort',
  'A group of study participants.',
  objectOf(
    {
      ...recordMembers,
      external_id: externalId,
      name: requiredText(maxNameLength, 'The name, which is unique among cohorts.'),
      description: optionalText('A description of the cohort.'),
      url: optionalText('The address of a page about the cohort.', 2000),
      contacts: listOf(fullContactSchema, 'The owners of the cohort.'),
      institutes: listOf(
        { type: ['integer', 'string'], minimum: 1, maximum: maxId, minLength: 1, maxLength: maxNameLength },
        'The partners that run the cohort, by id_at_source. A write also accepts external_id, name or acronym.',
      ),
      has_ethics_approval: flag(false, 'Whether an ethics committee approved the cohort.'),
      ethics_approval_notes: optionalText('Notes on the approval.'),
      metadata,
      published: publishedMember,
    },
    ['name'],
  ),
);

/** A cohort as a caller writes it, with the defaults of absent members. */
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
