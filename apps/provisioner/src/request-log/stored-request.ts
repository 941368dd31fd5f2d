import { subjectKindOf, type ImportEnding, type ImportRequest } from '../model/import-record.js';
import type { Subject } from '../model/identifier.js';
import { readRecord, type Records } from '../model/records.js';

/**
 * The JSON form of a request or an ending. Its `subject` is the id alone, because the other members determine the kind of
 * the subject.
 */
export type StoredForm<T extends { readonly subject: Subject }> = Omit<T, 'subject'> & { readonly subject: string };

/** Returns the JSON form of a request or an ending, with its members in their order. */
export function toStored<T extends { readonly subject: Subject }>(record: T): StoredForm<T> {
  return { ...record, subject: record.subject.id };
}

/** Restores a request or an ending from its JSON form. */
export function fromStored<T extends Pick<ImportRequest, 'kind' | 'plans'> & { readonly subject: string }>(
  stored: T,
): Omit<T, 'subject'> & { readonly subject: Subject } {
  return { ...stored, subject: { kind: subjectKindOf(stored), id: stored.subject } };
}

export function parseRequest(text: string): ImportRequest {
  return fromStored(JSON.parse(text) as StoredForm<ImportRequest>);
}

export function parseEnding(text: string): ImportEnding {
  return fromStored(JSON.parse(text) as StoredForm<ImportEnding>);
}

/** Reads a request. @returns null if there is no record at the path */
export async function readRequest(records: Records, path: string): Promise<ImportRequest | null> {
  const stored = await readRecord<StoredForm<ImportRequest>>(records, path);
  return stored && fromStored(stored);
}
