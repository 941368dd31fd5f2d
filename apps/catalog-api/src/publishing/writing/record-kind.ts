import type { FieldProblem } from '@rdc/errors';
import type { EntityManager } from 'typeorm';
import type { CatalogTransaction } from '../documents/catalog-writer.js';
import type { ListName } from '../documents/list-names.js';
import type { VisibilityChanges } from '../documents/views.js';
import type { JsonSchema } from '../schemas/json-schema.js';
import type { Reference, References } from './references.js';
import type { Row } from './rows.js';

/** A document in normal form. */
export interface RecordBody {
  external_id?: string | null;
  readonly name: string;
}

/** A document beside what the record said before. */
export interface DocumentChange<Body extends RecordBody> {
  /** The record; null when it is new. */
  readonly id: number | null;
  readonly body: Body;
  /** In normal form; null when the record is new. */
  readonly before: Body | null;
}

/** A record that is being written: a document and the row it is about. */
export interface WrittenRecord<Body extends RecordBody> {
  /** Place in what was sent, from 0. */
  readonly index: number;
  readonly id: number;
  readonly body: Body;
  /** The document before, in normal form; null when the record is new. */
  readonly before: Body | null;
}

/** Records that are written together, by the same few statements however many they are. */
export interface WriteBatch<Body extends RecordBody> extends CatalogTransaction {
  readonly records: readonly WrittenRecord<Body>[];
  /** The ids behind the names in the documents. */
  readonly references: References;
}

/** What keeps records from being removed. */
export interface RemovalConstraint {
  /** SQL that gives one row `(id, count)` for each record of `$1::integer[]` that something refers to. */
  readonly sql: string;
  /** What refers to it, in the plural: `datasets`. */
  readonly dependents: string;
}

/** All that writing needs to know of one kind of record. Stands beside the kind's entity and schema. */
export interface RecordKind<Body extends RecordBody = RecordBody> {
  /** Its plural: the table, the list and the path. */
  readonly list: ListName;
  /** Its word in messages. */
  readonly word: string;
  readonly schema: JsonSchema;
  /** The member by which a document without accession finds its record; unique in the catalog. */
  readonly naturalKey: 'name' | 'acronym' | null;
  /** Whether its records have an accession, and from when. */
  readonly accession: 'when made' | 'when published' | 'never';
  readonly removalConstraints: readonly RemovalConstraint[];
  /** Brings a document into the form in which it is exported, where the schema does not say it all. */
  normalize?(body: Body): Body;
  /** What is wrong with a document that fits the schema. */
  check?(body: Body): FieldProblem[];
  /** Members that lose against another: a PATCH with the first alone takes the second away. */
  readonly overridden?: Readonly<Record<string, string>>;
  /** Returns what the removal of records hides beside the records. It runs before the removal. */
  hiddenWith?(manager: EntityManager, ids: readonly number[]): Promise<VisibilityChanges>;
  /** Takes out of documents, and of what they were, members of lists that documents neither make nor remove. */
  ownPart?(manager: EntityManager, changes: readonly DocumentChange<Body>[]): Promise<DocumentChange<Body>[]>;
  /** The other records that a document names. */
  references(body: Body): Reference[];
  /** The columns of the record's own row. */
  row(body: Body, references: References): Row;
  /** Writes what stands in other tables, of records where it differs. */
  writeParts?(batch: WriteBatch<Body>): Promise<void>;
  /** Runs before records are removed; returns what is to be done after. */
  beforeRemoval?(manager: EntityManager, ids: readonly number[]): Promise<() => Promise<void>>;
}

/** SQL of a hindrance: rows of a table that refer to the record. */
export function countReferences(table: string, column: string, condition = 'true'): string {
  return `SELECT ${column} AS id, count(*)::integer AS count FROM ${table}
          WHERE ${column} = ANY ($1) AND (${condition}) GROUP BY ${column}`;
}

/** Whether a member of a document is not what it was. */
export function differs<Body extends RecordBody>({ body, before }: WrittenRecord<Body>, member: keyof Body): boolean {
  return before === null || JSON.stringify(body[member]) !== JSON.stringify(before[member]);
}
