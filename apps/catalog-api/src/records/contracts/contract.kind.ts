import type { EntityManager } from 'typeorm';
import {
  partnersOf,
  removeUnreferenced,
  replaceContacts,
  fullContactInput,
  type ContactLinks,
  withExportedNames,
} from '../contacts/contact.writer.js';
import { differs, type RecordKind, type WriteBatch } from '../../publishing/writing/record-kind.js';
import { columnsOf, replaceRows, reserveIds } from '../../publishing/writing/rows.js';
import { contractSchema, type ContractBody } from './contract.schema.js';

const contactLinks: ContactLinks = { table: 'partner_role_contacts', column: 'partner_role_id' };

/** The rules for writing contracts. */
export const contractKind: RecordKind<ContractBody> = {
  list: 'contracts',
  word: 'contract',
  schema: contractSchema,
  naturalKey: null,
  accession: 'never',
  removalConstraints: [],
  normalize: (body) => ({
    ...body,
    partners: body.partners.map((role) => ({ ...role, contacts: role.contacts.map(withExportedNames) })),
  }),
  references: ({ project_id, partners }) => [
    ...(project_id === null ? [] : [{ to: 'projects' as const, field: 'project_id', id: project_id }]),
    ...partners.flatMap(({ partner, contacts }, index) => {
      const field = `partners[${String(index)}]`;
      const people = contacts.flatMap((contact, at) => partnersOf(contact, `${field}.contacts[${String(at)}]`));
      return [{ to: 'partners' as const, field: `${field}.partner`, name: partner }, ...people];
    }),
  ],
  row: (body) => columnsOf(body, ['partners']),
  writeParts: writeRoles,
  async beforeRemoval(manager, ids) {
    const previous = await contactsOf(manager, ids);
    return () => removeUnreferenced(manager, previous);
  },
};

async function writeRoles({ records, references, ...transaction }: WriteBatch<ContractBody>): Promise<void> {
  const { manager } = transaction;
  const changed = records.filter((record) => differs(record, 'partners'));
  const contracts = changed.map(({ id }) => id);
  const previous = await contactsOf(manager, contracts);
  const ids = await reserveIds(
    manager,
    'partner_roles',
    changed.reduce((count, { body }) => count + body.partners.length, 0),
  );
  const roles = changed.flatMap(({ id: contract_id, body }) =>
    body.partners.map((role, position) => ({ id: ids.shift() ?? 0, contract_id, position, role })),
  );
  const rows = roles.map(({ role, ...row }) => ({
    ...row,
    partner_id: references.resolveId({ to: 'partners', name: role.partner }),
    roles: role.partner_roles,
    comments: role.comments,
  }));
  await replaceRows(manager, 'partner_roles', { column: 'contract_id', ids: contracts }, rows);
  const parents = roles.map(({ id, role }) => ({
    id,
    contacts: role.contacts.map((contact) => fullContactInput(contact, references)),
  }));
  await replaceContacts(transaction, contactLinks, parents, previous);
}

async function contactsOf(manager: EntityManager, contracts: readonly number[]): Promise<number[]> {
  const rows = await manager.query<{ contact_id: number }[]>(
    `SELECT DISTINCT contact_id FROM partner_role_contacts AS link
       JOIN partner_roles AS role ON role.id = link.partner_role_id WHERE role.contract_id = ANY ($1)`,
    [contracts],
  );
  return rows.map(({ contact_id }) => contact_id);
}
