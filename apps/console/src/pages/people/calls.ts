import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import type { ListAnswer } from '../../parts/list-answer.ts';
import type { SearchTexts } from '../../search-texts.ts';
import { texts } from '../../texts/texts.ts';

/** A user, as returned to administrators. */
export type User = components['schemas']['UserResponse'];

/** The writable members of a user. */
export type UserInput = components['schemas']['UpdateUser'];

const path = (id: number) => ({ path: { id: String(id) } });

/** Returns a page of users, by the parameters of an address. */
export function searchUsers(query: SearchTexts, signal?: AbortSignal): Promise<ListAnswer<User>> {
  return bodyOf(catalog.GET('/api/admin/users', { params: { query: query as never }, signal }));
}

export function getUser(id: string, signal?: AbortSignal): Promise<User> {
  return bodyOf(catalog.GET('/api/admin/users/{id}', { params: { path: { id } }, signal }));
}

export function createUser(body: UserInput & { last_name: string }): Promise<User> {
  return bodyOf(catalog.POST('/api/admin/users', { body }));
}

/** Changes the given members of a user. */
export function updateUser(id: number, body: UserInput): Promise<User> {
  return bodyOf(catalog.PATCH('/api/admin/users/{id}', { params: path(id), body }));
}

export function removeUser(id: number): Promise<unknown> {
  return bodyOf(catalog.DELETE('/api/admin/users/{id}', { params: path(id) }));
}

/** Creates a key and ends the previous key. @returns the key, which no later request returns */
export async function issueUserKey(id: number, expires_at: string | null): Promise<string> {
  const call = catalog.POST('/api/admin/users/{id}/key', { params: path(id), body: { expires_at } });
  return (await bodyOf(call)).key;
}

export function revokeUserKey(id: number): Promise<unknown> {
  return bodyOf(catalog.DELETE('/api/admin/users/{id}/key', { params: path(id) }));
}

/** Returns the display name of a user. */
export function nameOf({ first_name, last_name, email }: Pick<User, 'first_name' | 'last_name' | 'email'>): string {
  return `${first_name} ${last_name}`.trim() || email || texts.people.users.nobodyNamed;
}
