import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import type { ListAnswer } from '../../parts/list-answer.ts';
import type { SearchTexts } from '../../search-texts.ts';

/** A location that stores data. */
export type Platform = components['schemas']['PlatformResponse'];

/** The writable members of a platform. */
export type PlatformValues = Pick<Platform, 'name' | 'public'>;

const pathOf = ({ id }: Pick<Platform, 'id'>) => ({ path: { id: String(id) } });

/** Returns a page of platforms, by the parameters of an address. */
export function searchPlatforms(query: SearchTexts, signal?: AbortSignal): Promise<ListAnswer<Platform>> {
  return bodyOf(catalog.GET('/api/admin/platforms', { params: { query: query as never }, signal }));
}

export function getPlatform(id: string, signal?: AbortSignal): Promise<Platform> {
  return bodyOf(catalog.GET('/api/admin/platforms/{id}', { params: { path: { id } }, signal }));
}

export function createPlatform(body: PlatformValues): Promise<Platform> {
  return bodyOf(catalog.POST('/api/admin/platforms', { body }));
}

export function updatePlatform(platform: Platform, body: PlatformValues): Promise<Platform> {
  return bodyOf(catalog.PATCH('/api/admin/platforms/{id}', { params: pathOf(platform), body }));
}

export function removePlatform(platform: Platform): Promise<unknown> {
  return bodyOf(catalog.DELETE('/api/admin/platforms/{id}', { params: pathOf(platform) }));
}
