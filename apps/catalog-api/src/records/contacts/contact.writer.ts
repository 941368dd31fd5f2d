import type { EntityManager } from 'typeorm';
import type { CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import type { Reference, References } from '../../publishing/writing/references.js';
import { insertRows, replaceRows, reserveIds, updateRecords, type Row } from '../../publishing/writing/rows.js';
import type { FullContact, ShortContact } from './contact.schema.js';

/** A person as a document describes them, to be found among the contacts or added to them. */
export interface ContactInput {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly type: string;
  readonly partners: readonly number[];
  /** Left out when the document does not say, so that it does not count. */
  readonly details?: {
    readonly address: string | null;
    readonly phone: string | null;
    readonly subject: string | null;
  };
}

/** The partners that a full contact names. */
export function partnersOf({ partners }: FullContact, field: string): Reference[] {
  return partners.map(({ name }, index) => ({ to: 'partners', field: `${field}.partners[${String(index)}]`, name }));
}

/** The partners that a short contact names. */
export function affiliationsOf({ affiliations }: ShortContact, field: string): Reference[] {
  return affiliations.map((name, index) => ({
    to: 'partners',
    field: `${field}.affiliations[${String(index)}]`,
    name,
  }));
}

/** A full contact with its partners found. */
export function fullContactInput(contact: FullContact, references: References): ContactInput {
  const { first_name, last_name, email, type, address, phone, oidc_id: subject } = contact;
  const partners = unique(contact.partners.map(({ name }) => references.resolveId({ to: 'partners', name })));
  return { first_name, last_name, email, type, partners, details: { address, phone, subject } };
}

/** A short contact with its partners found. */
export function shortContactInput(contact: ShortContact, references: References): ContactInput {
  const { first_name, last_name, email, role: type } = contact;
  const partners = unique(contact.affiliations.map((name) => references.resolveId({ to: 'partners', name })));
  return { first_name, last_name, email, type, partners };
}

/** Each value once, in the order in which it first stands. */
export function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** A table that links contacts to what they are contacts of. */
export interface ContactLinks {
  readonly table: 'cohort_contacts' | 'project_contacts' | 'partner_role_contacts';
  /** The column with the id of what they are contacts of. */
  readonly column: string;
}

/** The contacts that are linked to some rows. */
export async function findLinkedContacts(
  manager: EntityManager,
  { table, column }: ContactLinks,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await manager.query<{ contact_id: number }[]>(
    `SELECT DISTINCT contact_id FROM ${table} WHERE ${column} = ANY ($1)`,
    [ids],
  );
  return rows.map(({ contact_id }) => contact_id);
}

/**
 * Makes the contacts of some rows what documents say. A contact is a value: one that is as described is taken, one that
 * does not exist is made, and one that nothing refers to any more is removed. Who has an identifier at the identity
 * provider is one contact, and becomes as described.
 *
 * @param former contacts that the rows had, which are taken rather than others that are alike
 */
export async function replaceContacts(
  transaction: CatalogTransaction,
  links: ContactLinks,
  parents: readonly { readonly id: number; readonly contacts: readonly ContactInput[] }[],
  former: readonly number[],
): Promise<void> {
  const ids = await contactIds(
    transaction,
    parents.flatMap(({ contacts }) => contacts),
    former,
  );
  const rows = parents.flatMap(({ id, contacts }) =>
    unique(ids.splice(0, contacts.length)).map((contact_id, position) => ({
      [links.column]: id,
      contact_id,
      position,
    })),
  );
  await replaceRows(transaction.manager, links.table, { column: links.column, ids: parents.map(({ id }) => id) }, rows);
  await removeUnreferenced(transaction.manager, former);
}

async function contactIds(
  transaction: CatalogTransaction,
  wanted: readonly ContactInput[],
  former: readonly number[],
): Promise<number[]> {
  const people = [...new Map(wanted.map((contact) => [keyOf(contact), contact])).values()];
  const found = await findContacts(transaction.manager, people, former);
  const strangers = people.filter((contact) => !found.has(keyOf(contact)));
  const made = await upsertContacts(transaction, strangers);
  return wanted.map((contact) => found.get(keyOf(contact)) ?? made.get(identityOf(contact)) ?? 0);
}

/** Removes those of some contacts that nothing refers to any more and that nobody can sign in as. */
export async function removeUnreferenced(manager: EntityManager, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await manager.query(
    `DELETE FROM contacts WHERE id = ANY ($1) AND subject IS NULL
       AND NOT EXISTS (SELECT FROM project_contacts WHERE contact_id = contacts.id)
       AND NOT EXISTS (SELECT FROM cohort_contacts WHERE contact_id = contacts.id)
       AND NOT EXISTS (SELECT FROM partner_role_contacts WHERE contact_id = contacts.id)
       AND NOT EXISTS (SELECT FROM accesses WHERE contact_id = contacts.id)`,
    [ids],
  );
}

async function findContacts(
  manager: EntityManager,
  people: readonly ContactInput[],
  former: readonly number[],
): Promise<Map<string, number>> {
  if (people.length === 0) return new Map();
  const rows = people.map((person) => {
    const { details, ...plain } = person;
    return { key: keyOf(person), ...plain, ...details, detailed: details !== undefined };
  });
  const found = await manager.query<{ key: string; id: number }[]>(
    `SELECT DISTINCT ON (wanted.key) wanted.key, contact.id
       FROM jsonb_to_recordset($1::jsonb) AS wanted (key text, first_name varchar, last_name varchar, email varchar,
              type varchar, partners integer[], detailed boolean, address text, phone varchar, subject varchar)
       JOIN contacts AS contact ON contact.last_name = wanted.last_name AND contact.first_name = wanted.first_name
      WHERE contact.type = wanted.type AND nullif(contact.email, '') IS NOT DISTINCT FROM wanted.email
        AND (NOT wanted.detailed OR (nullif(contact.address, ''), nullif(contact.phone, ''), contact.subject)
             IS NOT DISTINCT FROM (wanted.address, wanted.phone, wanted.subject))
        AND wanted.partners = ARRAY(SELECT partner_id FROM contact_affiliations
             WHERE contact_id = contact.id ORDER BY position, partner_id)
      ORDER BY wanted.key, contact.id = ANY ($2) DESC, contact.id`,
    [JSON.stringify(rows), former],
  );
  return new Map(found.map(({ key, id }) => [key, id]));
}

/** Makes contacts, or changes the one who has the same identifier at the identity provider. By their identity. */
async function upsertContacts(
  { manager, touch }: CatalogTransaction,
  strangers: readonly ContactInput[],
): Promise<Map<string, number>> {
  const people = [...new Map(strangers.map((contact) => [identityOf(contact), contact])).values()];
  const known = new Map(await knownSubjects(manager, people));
  const fresh = await reserveIds(manager, 'contacts', people.length - known.size);
  const ids = people.map(({ details }) => known.get(details?.subject ?? '') ?? fresh.shift() ?? 0);
  const rows = people.map((person, index) => toRow(person, ids[index] ?? 0));
  const isKnown = new Set(known.values());
  await updateRecords(
    manager,
    'contacts',
    rows.filter(({ id }) => isKnown.has(id)),
  );
  await insertRows(
    manager,
    'contacts',
    rows.filter(({ id }) => !isKnown.has(id)),
  );
  const affiliations = people.flatMap(({ partners }, index) =>
    partners.map((partner_id, position) => ({ contact_id: ids[index], partner_id, position })),
  );
  await replaceRows(manager, 'contact_affiliations', { column: 'contact_id', ids }, affiliations);
  touch({ contacts: ids });
  return new Map(people.map((person, index) => [identityOf(person), ids[index] ?? 0]));
}

async function knownSubjects(manager: EntityManager, people: readonly ContactInput[]): Promise<[string, number][]> {
  const subjects = people.flatMap(({ details }) => details?.subject ?? []);
  if (subjects.length === 0) return [];
  const rows = await manager.query<{ subject: string; id: number }[]>(
    'SELECT subject, id FROM contacts WHERE subject = ANY ($1)',
    [subjects],
  );
  return rows.map(({ subject, id }) => [subject, id]);
}

function toRow({ first_name, last_name, email, type, details }: ContactInput, id: number): Row & { id: number } {
  const { address = null, phone = null, subject = null } = details ?? {};
  return { id, first_name, last_name, email, type, address, phone, subject };
}

function keyOf({ first_name, last_name, email, type, partners, details }: ContactInput): string {
  return JSON.stringify([first_name, last_name, email, type, partners, details]);
}

function identityOf(contact: ContactInput): string {
  return contact.details?.subject ?? keyOf(contact);
}
