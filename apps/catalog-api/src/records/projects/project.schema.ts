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

/** The JSON Schema of a project. */
export const projectSchema = recordSchema(
  'project',
  'A research project, to which datasets and contracts belong.',
  objectOf(
    {
      ...recordMembers,
      acronym: requiredText(200, 'The short name, which is unique among projects.'),
      external_id: externalId,
      name: plainText(500, 'The title.'),
      description: optionalText('A description of the project.'),
      has_institutional_ethics_approval: flag(
        false,
        'Whether the ethics panel of the institution approved the project.',
      ),
      has_national_ethics_approval: flag(false, 'Whether the national ethics committee approved the project.'),
      institutional_ethics_approval_notes: optionalText('Notes on the approval by the institution.'),
      national_ethics_approval_notes: optionalText('Notes on the national approval.'),
      start_date: optionalDay('The first day of the project.'),
      end_date: optionalDay('The last day of the project.'),
      contacts: listOf(
        shortContactSchema,
        'External contacts, then local custodians, then personnel. A write ignores contacts that equal an exported ' +
          'custodian or member of the personnel, and stores all others as external contacts.',
      ),
      publications: listOf(
        objectOf({ citation: optionalText('The citation.'), doi: optionalText('The DOI.') }, []),
        'The publications of the project.',
      ),
      metadata,
    },
    ['acronym'],
  ),
);

/** A project as a caller writes it, with the defaults of absent members. */
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
