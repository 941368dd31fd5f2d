import { bodyOf, catalog, taggedBodyOf, type Tagged } from '../api/client.ts';
import type { components } from '../api/generated/catalog-api.ts';
import type { ListAnswer } from '../parts/list-answer.ts';
import type { SearchTexts } from '../search-texts.ts';
import type { FormValues } from './schema.ts';

/** A record in a list. */
export type RecordRow = components['schemas']['RecordRow'];

/** The kinds of record, by the names of their lists. */
export type RecordList = 'projects' | 'datasets' | 'contracts' | 'partners' | 'cohorts';

/** The members of a record's JSON document. */
export type RecordDocument = Readonly<Record<string, unknown>>;

/** Returns the path of a list. The type is the path of one list, because all lists accept the same requests. */
const listPath = (list: RecordList): '/api/admin/datasets' => `/api/admin/${list}` as '/api/admin/datasets';
const allPath = (list: RecordList): '/api/datasets' => `/api/${list}` as '/api/datasets';
const onePath = (list: RecordList): '/api/datasets/{id}' => `/api/${list}/{id}` as '/api/datasets/{id}';

/** Returns a page of a list, by the parameters of `GET /api/admin/<list>`. */
export function searchRecords(
  list: RecordList,
  query: SearchTexts,
  signal?: AbortSignal,
): Promise<ListAnswer<RecordRow>> {
  return bodyOf(catalog.GET(listPath(list), { params: { query: query as never }, signal }));
}

/** Returns a record with its `ETag`. */
export function getRecord(list: RecordList, id: string, signal?: AbortSignal): Promise<Tagged<RecordDocument>> {
  return taggedBodyOf(catalog.GET(onePath(list), { params: { path: { id } }, signal }));
}

export interface SaveOptions {
  /** The `ETag` of the edited version. Without an `ETag`, any version is replaced. */
  readonly etag?: string | null;
  /** Whether the service creates records that the document names and that do not exist. */
  readonly createMissing: boolean;
}

export function createRecord(
  list: RecordList,
  document: FormValues,
  { createMissing }: SaveOptions,
): Promise<Tagged<RecordDocument>> {
  const query = { create_missing: createMissing ? 'true' : 'false' } as const;
  return taggedBodyOf(catalog.POST(allPath(list), { params: { query }, body: document as never }));
}

/** Replaces a record. @throws Problem `precondition.failed` if the record has changed */
export function replaceRecord(
  list: RecordList,
  id: string,
  document: FormValues,
  { etag, createMissing }: SaveOptions,
): Promise<Tagged<RecordDocument>> {
  const query = { create_missing: createMissing ? 'true' : 'false' } as const;
  const header = etag ? { 'If-Match': etag } : {};
  return taggedBodyOf(catalog.PUT(onePath(list), { params: { path: { id }, query, header }, body: document as never }));
}

/** Changes members of a record. @throws Problem `precondition.failed` if the record has changed */
export function patchRecord(
  list: RecordList,
  id: string,
  members: FormValues,
  etag: string | null,
): Promise<Tagged<RecordDocument>> {
  const header = etag ? { 'If-Match': etag } : {};
  return taggedBodyOf(catalog.PATCH(onePath(list), { params: { path: { id }, header }, body: members as never }));
}

/** Removes a record to which no other record refers. */
export function removeRecord(list: RecordList, id: string): Promise<unknown> {
  return bodyOf(catalog.DELETE(onePath(list), { params: { path: { id } } }));
}

/** Returns the id of a record in its addresses. */
export function idOf({ id, id_at_source }: RecordDocument): string {
  return String(id_at_source ?? id);
}

/** Publishes a partner or cohort, or withdraws its publication. Repeating the call has no effect. */
export function publishRecord(
  list: 'partners' | 'cohorts',
  id: string,
  isPublished: boolean,
): Promise<Tagged<RecordDocument>> {
  const path = `/api/${list}/{id}/${isPublished ? 'publish' : 'unpublish'}` as '/api/partners/{id}/publish';
  return taggedBodyOf(catalog.POST(path, { params: { path: { id } } }));
}
