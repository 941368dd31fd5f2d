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

/** A document and the previous document of its record. */
export interface DocumentChange<Body extends RecordBody> {
  /** The id of the record; null if the record is new. */
  readonly id: number | null;
  readonly body: Body;
  /** The previous document in normal form; null if the record is new. */
  readonly before: Body | null;
}

/** A document that is being written, and the id of its record. */
export interface WrittenRecord<Body extends RecordBody> {
  /** The index in the request, from 0. */
  readonly index: number;
  readonly id: number;
  readonly body: Body;
  /** The previous document in normal form; null if the record is new. */
  readonly before: Body | null;
}

/** Records that are written together. The number of statements does not depend on the number of records. */
export interface WriteBatch<Body extends RecordBody> extends CatalogTransaction {
  readonly records: readonly WrittenRecord<Body>[];
  /** The resolved references of the documents. */
  readonly references: References;
}

/** References that prevent the removal of records. */
export interface RemovalConstraint {
  /** SQL that returns a row `(id, count)` for each record of `$1::integer[]` that has references. */
  readonly sql: string;
  /** The records that refer to the record, as a plural: `datasets`. */
  readonly dependents: string;
}

/** The definition of one kind of record for writes. */
export interface RecordKind<Body extends RecordBody = RecordBody> {
  /** The plural, which is the name of the table, the list and the path. */
  readonly list: ListName;
  /** The singular for messages. */
  readonly word: string;
  readonly schema: JsonSchema;
  /** The unique member that identifies the record of a document without accession. */
  readonly naturalKey: 'name' | 'acronym' | null;
  /** The write at which a record receives its accession. */
  readonly accession: 'on creation' | 'on publication' | 'never';
  readonly removalConstraints: readonly RemovalConstraint[];
  /** Converts a document to its exported form, in addition to the rules of the schema. */
  normalize?(body: Body): Body;
  /** Returns the problems of a document that is valid by the schema. */
  check?(body: Body): FieldProblem[];
  /** Pairs of members: a PATCH with the first member but without the second sets the second to null. */
  readonly overridden?: Readonly<Record<string, string>>;
  /** Returns the changes of visibility that a removal causes. Runs before the removal. */
  hiddenWith?(manager: EntityManager, ids: readonly number[]): Promise<VisibilityChanges>;
  /** Removes list items that writes neither create nor remove from documents and their previous versions. */
  ownPart?(manager: EntityManager, changes: readonly DocumentChange<Body>[]): Promise<DocumentChange<Body>[]>;
  /** Returns the references of a document to other records. */
  references(body: Body): Reference[];
  /** Returns the columns of the record's row. */
  row(body: Body, references: References): Row;
  /** Writes the changed rows of other tables. */
  writeParts?(batch: WriteBatch<Body>): Promise<void>;
  /** Runs before the removal of records. Returns a function that runs after the removal. */
  beforeRemoval?(manager: EntityManager, ids: readonly number[]): Promise<() => Promise<void>>;
}

/** Returns the SQL that counts the rows of a table that refer to records. */
export function countReferences(table: string, column: string, condition = 'true'): string {
  return `SELECT ${column} AS id, count(*)::integer AS count FROM ${table}
          WHERE ${column} = ANY ($1) AND (${condition}) GROUP BY ${column}`;
}

/** Returns whether a member differs from the previous document. */
export function differs<Body extends RecordBody>({ body, before }: WrittenRecord<Body>, member: keyof Body): boolean {
  return before === null || JSON.stringify(body[member]) !== JSON.stringify(before[member]);
}
