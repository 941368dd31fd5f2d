import type { RecordBody } from './record-kind.js';
import type { WriteProblems } from './write-problems.js';
import type { WriterRights } from './writer-rights.js';

/** Names that one call has written, and by which of its items. */
export type UsedNames = Map<string, number>;

/** A document that is to be written. */
export interface WriteItem<Body extends RecordBody> {
  /** Place in what was sent, from 0. */
  readonly index: number;
  /** In normal form. */
  readonly body: Body;
  /** The record it replaces; null makes a new one. */
  readonly id: number | null;
  /** Where a new record came from, when not from here. */
  readonly source?: string | null;
}

/** How documents are to be written. */
export interface WriteOptions {
  /** The name of the writer in the audit trail. */
  readonly actor: string;
  readonly rights: WriterRights;
  /** Whether to make the records that documents name and that do not exist. */
  readonly createMissing: boolean;
  /** Where problems are collected. Once there is one, nothing is written any more, only checked. */
  readonly problems: WriteProblems;
  /** Names that were written before in the same call. */
  readonly usedNames: UsedNames;
}
