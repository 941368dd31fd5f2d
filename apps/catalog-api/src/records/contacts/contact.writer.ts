import type { EntityManager } from 'typeorm';
import type { CatalogTransaction } from '../../publishing/documents/catalog-writer.js';
import type { Reference, References } from '../../publishing/writing/references.js';
import { insertRows, replaceRows, reserveIds, updateRecords, type Row } from '../../publishing/writing/rows.js';
import type { FullContact, ShortContact } from './contact.schema.js';

/** A contact as a document describes it. Its values identify an existing contact or become a new one. */
export interface ContactInput {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string | null;
  readonly type: string;
  readonly partners: readonly number[];
  /** The details; absent if the document does not contain these members. Absent details are not compared. */
  readonly details?: {
    readonly address: string | null;
    readonly phone: string | null;
    readonly subject: string | null;
  };
}

/** The name in an export of a person whose other name is stored alone. Existing importers stop at one empty name. */
const missingName = '-';

/** Returns a contact with the names that the export contains, as `exported_name` of the database does. */
export function withExportedNames<Contact extends { readonly first_name: string; readonly last_name: string }>(
  contact: Contact,
): Contact {
  const { first_name, last_name } = contact;
  const [hasFirst, hasLast] = [/\S/.test(first_name), /\S/.test(last_name)];
  if (hasFirst === hasLast) return contact;
  return { ...contact, ...(hasFirst ? { last_name: missingName } : { first_name: missingName }) };
}

/** Returns a contact with each stored form of its names: a missing name may be stored empty. */
function storedForms(contact: ContactInput): ContactInput[] {
  const { first_name, last_name } = contact;
  if (first_name === missingName && last_name !== missingName) return [contact, { ...contact, first_name: '' }];
  if (last_name === missingName && first_name !== missingName) return [contact, { ...contact, last_name: '' }];
  return [contact];
}

/** Returns the references of a full contact to partners. */
export function partnersOf({ partners }: FullContact, field: string): Reference[] {
  return partners.map(({ name }, index) => ({ to: 'partners', field: `${field}.partners[${String(index)}]`, name }));
}

/** Returns the references of a short contact to partners. */
export function affiliationsOf({ affiliations }: ShortContact, field: string): Reference[] {
  return affiliations.map((name, index) => ({
    to: 'partners',
    field: `${field}.affiliations[${String(index)}]`,
    name,
  }));
}

/** Converts a full contact, with the ids of its partners. */
export function fullContactInput(contact: FullContact, references: References): ContactInput {
  const { first_name, last_name, email, type, address, phone, oidc_id: subject } = contact;
  const partners = unique(contact.partners.map(({ name }) => references.resolveId({ to: 'partners', name })));
  return { first_name, last_name, email, type, partners, details: { address, phone, subject } };
}

/** Converts a short contact, with the ids of its partners. */
export function shortContactInput(contact: ShortContact, references: References): ContactInput {
  const { first_name, last_name, email, role: type } = contact;
  const partners = unique(contact.affiliations.map((name) => references.resolveId({ to: 'partners', name })));
  return { first_name, last_name, email, type, partners };
}

/** Removes duplicates. Keeps the first of equal values. */
export function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

/** A table that links contacts to records. */
export interface ContactLinks {
  readonly table: 'cohort_contacts' | 'project_contacts' | 'partner_role_contacts';
  /** The column with the id of the record. */
  readonly column: string;
}

/** Returns the ids of the contacts that are linked to some records. */
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
 * Replaces the contacts of some records by those of documents. An existing contact with equal values is linked;
 * otherwise a new contact is created. A contact with an identifier at the identity provider exists once, so the contact
 * is updated instead. A previous contact without references is removed.
 *
 * @param previous the previous contacts of the records, which are preferred over other contacts with equal values
 */
export async function replaceContacts(
  transaction: CatalogTransaction,
  links: ContactLinks,
  parents: readonly { readonly id: number; readonly contacts: readonly ContactInput[] }[],
  previous: readonly number[],
): Promise<void> {
  const ids = await contactIds(
    transaction,
    parents.flatMap(({ contacts }) => contacts),
    previous,
  );
  const rows = parents.flatMap(({ id, contacts }) =>
    unique(ids.splice(0, contacts.length)).map((contact_id, position) => ({
      [links.column]: id,
      contact_id,
      position,
    })),
  );
  await replaceRows(transaction.manager, links.table, { column: links.column, ids: parents.map(({ id }) => id) }, rows);
  await removeUnreferenced(transaction.manager, previous);
}

async function contactIds(
  transaction: CatalogTransaction,
  given: readonly ContactInput[],
  previous: readonly number[],
): Promise<number[]> {
  const people = [...new Map(given.map((contact) => [keyOf(contact), contact])).values()];
  const found = await findContacts(transaction.manager, people, previous);
  const missing = people.filter((contact) => !found.has(keyOf(contact)));
  const created = await upsertContacts(transaction, missing);
  return given.map((contact) => found.get(keyOf(contact)) ?? created.get(identityOf(contact)) ?? 0);
}

/** Removes those of the contacts that have no references and no identifier at the identity provider. */
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
  previous: readonly number[],
): Promise<Map<string, number>> {
  if (people.length === 0) return new Map();
  const rows = people.flatMap((person) =>
    storedForms(person).map(({ details, ...plain }) => {
      return { key: keyOf(person), ...plain, ...details, detailed: details !== undefined };
    }),
  );
  const found = await manager.query<{ key: string; id: number }[]>(
    `SELECT DISTINCT ON (given.key) given.key, contact.id
       FROM jsonb_to_recordset($1::jsonb) AS given (key text, first_name varchar, last_name varchar, email varchar,
              type varchar, partners integer[], detailed boolean, address text, phone varchar, subject varchar)
       JOIN contacts AS contact ON contact.last_name || ' ' || contact.first_name = given.last_name || ' ' || given.first_name
        AND contact.last_name = given.last_name AND contact.first_name = given.first_name
      WHERE contact.type = given.type AND nullif(contact.email, '') IS NOT DISTINCT FROM given.email
        AND (NOT given.detailed OR (nullif(contact.address, ''), nullif(contact.phone, ''), contact.subject)
             IS NOT DISTINCT FROM (given.address, given.phone, given.subject))
        AND given.partners = ARRAY(SELECT partner_id FROM contact_affiliations
             WHERE contact_id = contact.id ORDER BY position, partner_id)
      ORDER BY given.key, contact.id = ANY ($2) DESC, contact.id`,
    [JSON.stringify(rows), previous],
  );
  return new Map(found.map(({ key, id }) => [key, id]));
}

/**
 * Creates contacts, or updates those with the same identifier at the identity provider. Returns their ids by identity.
 */
async function upsertContacts(
  { manager, touch }: CatalogTransaction,
  missing: readonly ContactInput[],
): Promise<Map<string, number>> {
  const people = [...new Map(missing.map((contact) => [identityOf(contact), contact])).values()];
  const known = new Map(await knownSubjects(manager, people));
  const newIds = await reserveIds(manager, 'contacts', people.length - known.size);
  const ids = people.map(({ details }) => known.get(details?.subject ?? '') ?? newIds.shift() ?? 0);
  const rows = people.map((person, index) => toRow(person, ids[index] ?? 0));
  const knownIds = new Set(known.values());
  await updateRecords(
    manager,
    'contacts',
    rows.filter(({ id }) => knownIds.has(id)),
  );
  await insertRows(
    manager,
    'contacts',
    rows.filter(({ id }) => !knownIds.has(id)),
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
