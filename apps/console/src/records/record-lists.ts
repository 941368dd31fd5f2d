import { bodyOf, catalog, taggedBodyOf, type Tagged } from '../api/client.ts';
import type { components } from '../api/generated/catalog-api.ts';
import type { ListAnswer } from '../parts/list-page.tsx';
import type { SearchTexts } from '../search-texts.ts';
import type { FormValues } from './schema.ts';

/** What a list shows of a record. */
export type RecordRow = components['schemas']['RecordRow'];

/** The five kinds of record, by the names of their lists. */
export type RecordList = 'projects' | 'datasets' | 'contracts' | 'partners' | 'cohorts';

/** The members of any record, as its JSON has them. */
export type RecordDocument = Readonly<Record<string, unknown>>;

/** The five kinds are asked for in the same way: the compiler is shown one of them, with bodies of any kind. */
const listPath = (list: RecordList): '/api/admin/datasets' => `/api/admin/${list}` as '/api/admin/datasets';
const allPath = (list: RecordList): '/api/datasets' => `/api/${list}` as '/api/datasets';
const onePath = (list: RecordList): '/api/datasets/{id}' => `/api/${list}/{id}` as '/api/datasets/{id}';

/** A page of a list, by the parameters of `GET /api/admin/<list>`. */
export function searchRecords(
  list: RecordList,
  query: SearchTexts,
  signal?: AbortSignal,
): Promise<ListAnswer<RecordRow>> {
  return bodyOf(catalog.GET(listPath(list), { params: { query: query as never }, signal }));
}

/** A record and the tag of its version. */
export function getRecord(list: RecordList, id: string, signal?: AbortSignal): Promise<Tagged<RecordDocument>> {
  return taggedBodyOf(catalog.GET(onePath(list), { params: { path: { id } }, signal }));
}

/** How a record is saved. */
export interface SaveOptions {
  /** The tag of the version that was edited; whatever is stored is replaced without. */
  readonly etag?: string | null;
  /** Makes what the document names and does not exist. */
  readonly createMissing: boolean;
}

/** Makes a record. */
export function createRecord(
  list: RecordList,
  document: FormValues,
  { createMissing }: SaveOptions,
): Promise<Tagged<RecordDocument>> {
  const query = { create_missing: createMissing ? 'true' : 'false' } as const;
  return taggedBodyOf(catalog.POST(allPath(list), { params: { query }, body: document as never }));
}

/** Replaces a record. @throws Problem `precondition.failed` when somebody else has changed it */
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

/** Removes a record that nothing refers to. */
export function removeRecord(list: RecordList, id: string): Promise<unknown> {
  return bodyOf(catalog.DELETE(onePath(list), { params: { path: { id } } }));
}

/** The id of a record in its addresses. */
export function idOf({ id, id_at_source }: RecordDocument): string {
  return String(id_at_source ?? id);
}

/** Publishes a partner or a cohort, or takes that back; harmless when it is so already. */
export function publishRecord(
  list: 'partners' | 'cohorts',
  id: string,
  isPublished: boolean,
): Promise<Tagged<RecordDocument>> {
  const path = `/api/${list}/{id}/${isPublished ? 'publish' : 'unpublish'}` as '/api/partners/{id}/publish';
  return taggedBodyOf(catalog.POST(path, { params: { path: { id } } }));
}
