import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import type { ListAnswer } from '../../parts/list-answer.ts';
import type { SearchTexts } from '../../search-texts.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.people.accesses;

/** A person's right to use a dataset. */
export type Access = components['schemas']['AccessResponse'];

/** The request for an access that an administrator grants. */
export type NewAccess = components['schemas']['CreateAccess'];

const pathOf = ({ id }: Access) => ({ path: { id: String(id) } });

/** Returns a page of accesses, by the parameters of an address. */
export function searchAccesses(query: SearchTexts, signal?: AbortSignal): Promise<ListAnswer<Access>> {
  return bodyOf(catalog.GET('/api/admin/accesses', { params: { query: query as never }, signal }));
}

export function getAccess(id: string, signal?: AbortSignal): Promise<Access> {
  return bodyOf(catalog.GET('/api/admin/accesses/{id}', { params: { path: { id } }, signal }));
}

export function giveAccess(body: NewAccess): Promise<Access> {
  return bodyOf(catalog.POST('/api/admin/accesses', { body }));
}

/** Changes the end of an access that an administrator granted. */
export function moveEnd(access: Access, expires_at: string | null): Promise<Access> {
  return bodyOf(catalog.PATCH('/api/admin/accesses/{id}', { params: pathOf(access), body: { expires_at } }));
}

export function step(access: Access, action: 'suspend' | 'resume' | 'terminate' | 'retry'): Promise<Access> {
  return bodyOf(catalog.POST(`/api/admin/accesses/{id}/${action}`, { params: pathOf(access) }));
}

/** Returns the name of the person who holds an access. */
export function personOf({ person_name: name, subject }: Access): string {
  return name ?? subject ?? words.unknownPerson;
}
