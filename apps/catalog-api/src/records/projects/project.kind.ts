import type { EntityManager } from 'typeorm';
import type { ShortContact } from '../contacts/contact.schema.js';
import {
  affiliationsOf,
  findLinkedContacts,
  removeUnreferenced,
  replaceContacts,
  shortContactInput,
  type ContactLinks,
  withExportedNames,
} from '../contacts/contact.writer.js';
import {
  countReferences,
  differs,
  type DocumentChange,
  type RecordKind,
  type WriteBatch,
} from '../../publishing/writing/record-kind.js';
import { columnsOf, replaceRows } from '../../publishing/writing/rows.js';
import { projectSchema, type ProjectBody } from './project.schema.js';

const contactLinks: ContactLinks = { table: 'project_contacts', column: 'project_id' };

/** The rules for writing projects. */
export const projectKind: RecordKind<ProjectBody> = {
  list: 'projects',
  word: 'project',
  schema: projectSchema,
  naturalKey: 'acronym',
  accession: 'on creation',
  removalConstraints: [
    { dependents: 'datasets', sql: countReferences('datasets', 'project_id') },
    { dependents: 'contracts', sql: countReferences('contracts', 'project_id') },
  ],
  normalize: (body) => ({ ...body, contacts: body.contacts.map(withExportedNames) }),
  check: ({ start_date, end_date }) =>
    start_date !== null && end_date !== null && end_date < start_date
      ? [{ field: 'end_date', problem: `must not be before the start_date ${start_date}` }]
      : [],
  ownPart: withoutStaff,
  references: ({ contacts }) =>
    contacts.flatMap((contact, index) => affiliationsOf(contact, `contacts[${String(index)}]`)),
  row: (body) => columnsOf(body, ['contacts', 'publications']),
  async writeParts(batch) {
    await writePublications(batch);
    await writeContacts(batch);
    const named = batch.records.filter((record) => record.before !== null && differs(record, 'external_id'));
    if (named.length > 0) batch.touch({ limits: named.flatMap(({ body }) => body.external_id ?? []) });
  },
  async beforeRemoval(manager, ids) {
    const previous = await findLinkedContacts(manager, contactLinks, ids);
    return () => removeUnreferenced(manager, previous);
  },
};

async function writePublications({ manager, records }: WriteBatch<ProjectBody>): Promise<void> {
  const changed = records.filter((record) => differs(record, 'publications'));
  const rows = changed.flatMap(({ id, body }) =>
    body.publications.map((publication, position) => ({ ...publication, project_id: id, position })),
  );
  await replaceRows(manager, 'publications', { column: 'project_id', ids: changed.map(({ id }) => id) }, rows);
}

async function writeContacts({ records, references, ...transaction }: WriteBatch<ProjectBody>): Promise<void> {
  const { manager } = transaction;
  const changed = records.filter((record) => differs(record, 'contacts'));
  const ids = changed.map(({ id }) => id);
  const previous = await findLinkedContacts(manager, contactLinks, ids);
  const parents = changed.map(({ id, body }) => ({
    id,
    contacts: body.contacts.map((contact) => shortContactInput(contact, references)),
  }));
  await replaceContacts(transaction, contactLinks, parents, previous);
}

/** A custodian or a member of the personnel, without affiliations, which depend on the settings. */
type Member = Omit<ShortContact, 'affiliations'>;

/** Returns the custodians and personnel of projects as in the export. */
async function staffOf(manager: EntityManager, ids: readonly number[]): Promise<Map<number, Member[]>> {
  const rows = await manager.query<(Member & { project_id: number })[]>(
    `SELECT project_id, exported_name(first_name, last_name) AS first_name,
            exported_name(last_name, first_name) AS last_name, nullif(email, '') AS email,
            CASE WHEN bool_or(custodian) THEN 'Principal_Investigator' ELSE 'Researcher' END AS role
       FROM (SELECT project_id, user_id, true AS custodian FROM project_custodians
             UNION ALL SELECT project_id, user_id, false FROM project_personnel) AS link
       JOIN users ON users.id = link.user_id
      WHERE project_id = ANY ($1) GROUP BY project_id, users.id`,
    [ids],
  );
  const staff = new Map<number, Member[]>();
  for (const { project_id, ...member } of rows) staff.set(project_id, [...(staff.get(project_id) ?? []), member]);
  return staff;
}

/** Removes from the contacts of projects one contact for each exported custodian and member of the personnel. */
async function withoutStaff(
  manager: EntityManager,
  changes: readonly DocumentChange<ProjectBody>[],
): Promise<DocumentChange<ProjectBody>[]> {
  const staff = await staffOf(
    manager,
    changes.flatMap(({ id }) => id ?? []),
  );
  return changes.map(({ id, body, before }) => {
    if (id === null || before === null) return { id, body, before };
    const members = staff.get(id) ?? [];
    const exported = new Set(before.contacts.map(keyOf));
    const externals = (contacts: readonly ShortContact[]): ShortContact[] => {
      const left = members.map(memberKeyOf);
      return contacts.filter((contact) => {
        const at = exported.has(keyOf(contact)) ? left.indexOf(memberKeyOf(contact)) : -1;
        if (at !== -1) left.splice(at, 1);
        return at === -1;
      });
    };
    return {
      id,
      body: { ...body, contacts: externals(body.contacts) },
      before: { ...before, contacts: externals(before.contacts) },
    };
  });
}

function keyOf(contact: ShortContact): string {
  return JSON.stringify([memberKeyOf(contact), contact.affiliations]);
}

function memberKeyOf({ first_name, last_name, email, role }: Member): string {
  return JSON.stringify([first_name, last_name, email, role]);
}
