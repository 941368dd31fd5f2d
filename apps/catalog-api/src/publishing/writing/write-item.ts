import type { RecordBody } from './record-kind.js';
import type { WriteProblems } from './write-problems.js';
import type { WriterRights } from './writer-rights.js';

/** The unique values that a request has written, each with the index of its item. */
export type UsedNames = Map<string, number>;

/** A document to write. */
export interface WriteItem<Body extends RecordBody> {
  /** The index in the request, from 0. */
  readonly index: number;
  /** The document in normal form. */
  readonly body: Body;
  /** The id of the replaced record, or null for a new record. */
  readonly id: number | null;
  /** The catalog from which a new record is imported, if any. A record has the source together with its id there. */
  readonly source?: string | null;
  /** The id of a new record in the catalog from which it is imported, if any. */
  readonly idAtSource?: number | null;
}

export interface WriteOptions {
  /** The actor in the audit trail. */
  readonly actor: string;
  readonly rights: WriterRights;
  /** Whether to create the records that documents name and that do not exist. */
  readonly createMissing: boolean;
  /** Collects problems. After the first problem, documents are checked but not written. */
  readonly problems: WriteProblems;
  /** The unique values of previous items of the request. */
  readonly usedNames: UsedNames;
}
