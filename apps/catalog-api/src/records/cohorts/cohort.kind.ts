import type { EntityManager } from 'typeorm';
import {
  findLinkedContacts,
  partnersOf,
  removeUnreferenced,
  replaceContacts,
  unique,
  fullContactInput,
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
import { References, type Reference } from '../../publishing/writing/references.js';
import { columnsOf, replaceRows } from '../../publishing/writing/rows.js';
import { cohortSchema, type CohortBody } from './cohort.schema.js';

const contactLinks: ContactLinks = { table: 'cohort_contacts', column: 'cohort_id' };

/** The rules for writing cohorts. */
export const cohortKind: RecordKind<CohortBody> = {
  list: 'cohorts',
  word: 'cohort',
  schema: cohortSchema,
  naturalKey: 'name',
  accession: 'on publication',
  removalConstraints: [
    { dependents: 'data declarations', sql: countReferences('data_declaration_cohorts', 'cohort_id') },
  ],
  normalize: (body) => ({ ...body, contacts: body.contacts.map(withExportedNames) }),
  ownPart: withInstituteIds,
  references: ({ contacts, institutes }) => [
    ...contacts.flatMap((contact, index) => partnersOf(contact, `contacts[${String(index)}]`)),
    ...institutes.map((institute, index) => instituteOf(institute, `institutes[${String(index)}]`)),
  ],
  row: (body) => columnsOf(body, ['contacts', 'institutes']),
  async writeParts(batch) {
    await writeInstitutes(batch);
    await writeContacts(batch);
  },
  async beforeRemoval(manager, ids) {
    const previous = await findLinkedContacts(manager, contactLinks, ids);
    return () => removeUnreferenced(manager, previous);
  },
};

/** Replaces names of institutes by their ids, as in the export. */
async function withInstituteIds(
  manager: EntityManager,
  changes: readonly DocumentChange<CohortBody>[],
): Promise<DocumentChange<CohortBody>[]> {
  const references = new References();
  const named = changes.flatMap(({ body }) => body.institutes.filter((institute) => typeof institute === 'string'));
  await references.load(
    manager,
    named.map((institute) => instituteOf(institute)),
  );
  const idOf = (institute: number | string): number | string => references.idOf(instituteOf(institute)) ?? institute;
  return changes.map((change) => ({
    ...change,
    body: { ...change.body, institutes: change.body.institutes.map(idOf) },
  }));
}

function instituteOf(institute: number | string, field = ''): Reference {
  return { to: 'partners', field, ...(typeof institute === 'number' ? { id: institute } : { name: institute }) };
}

async function writeInstitutes({ manager, records, references }: WriteBatch<CohortBody>): Promise<void> {
  const changed = records.filter((record) => differs(record, 'institutes'));
  const rows = changed.flatMap(({ id, body }) =>
    unique(body.institutes.map((institute) => references.resolveId(instituteOf(institute)))).map(
      (partner_id, position) => ({
        cohort_id: id,
        partner_id,
        position,
      }),
    ),
  );
  await replaceRows(manager, 'cohort_institutes', { column: 'cohort_id', ids: changed.map(({ id }) => id) }, rows);
}

async function writeContacts({ records, references, ...transaction }: WriteBatch<CohortBody>): Promise<void> {
  const changed = records.filter((record) => differs(record, 'contacts'));
  const previous = await findLinkedContacts(
    transaction.manager,
    contactLinks,
    changed.map(({ id }) => id),
  );
  const parents = changed.map(({ id, body }) => ({
    id,
    contacts: body.contacts.map((contact) => fullContactInput(contact, references)),
  }));
  await replaceContacts(transaction, contactLinks, parents, previous);
}
