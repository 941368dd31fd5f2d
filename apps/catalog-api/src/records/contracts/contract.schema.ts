import { maxNameLength } from '../../platform/database/lengths.js';
import { custodiansSchema, fullContactSchema, type FullContact } from '../contacts/contact.schema.js';
import { maxId } from '../../platform/database/ids.js';
import {
  listOf,
  objectOf,
  optionalText,
  recordMembers,
  recordSchema,
  requiredText,
  readOnly,
} from '../../publishing/schemas/json-schema.js';
import { partnerRoles } from './partner-role.entity.js';

const partnerRole = objectOf(
  {
    partner: requiredText(maxNameLength, 'The name of the partner.'),
    partner_roles: listOf({ enum: [...partnerRoles] }, 'The roles of the partner under the GDPR.'),
    comments: optionalText('Notes on the role of the partner.'),
    contacts: listOf(fullContactSchema, 'The contacts at the partner.'),
  },
  ['partner'],
);

/** The JSON Schema of a contract. */
export const contractSchema = recordSchema(
  'contract',
  'An agreement with partners about the data of a project.',
  objectOf(
    {
      $schema: recordMembers.$schema,
      id: readOnly({ type: ['integer', 'null'], description: 'The id of the contract in this catalog.' }),
      name: { type: 'string', maxLength: 200, description: 'The title.' },
      comments: optionalText('Notes on the contract.'),
      project_id: {
        type: ['integer', 'null'],
        minimum: 1,
        maximum: maxId,
        default: null,
        description: 'The id_at_source of the project.',
      },
      local_custodians: custodiansSchema,
      partners: listOf(partnerRole, 'The partners with their roles.'),
      source: recordMembers.source,
      updated_at: recordMembers.updated_at,
    },
    ['name'],
  ),
);

export interface PartnerRoleBody {
  readonly partner: string;
  readonly partner_roles: readonly string[];
  readonly comments: string | null;
  readonly contacts: readonly FullContact[];
}

/** A contract as a caller writes it, with the defaults of absent members. */
export interface ContractBody {
  readonly name: string;
  readonly comments: string | null;
  readonly project_id: number | null;
  readonly partners: readonly PartnerRoleBody[];
}
