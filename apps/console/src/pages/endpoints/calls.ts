import { bodyOf, catalog } from '../../api/client.ts';
import type { components } from '../../api/generated/catalog-api.ts';
import type { ListAnswer } from '../../parts/list-answer.ts';
import type { SearchTexts } from '../../search-texts.ts';

type Schemas = components['schemas'];

/** A data catalog that reads from this catalog, and its keys. */
export type Endpoint = Schemas['EndpointResponse'];
/** A dataset that is or was exposed to an endpoint. */
export type Exposure = Schemas['EndpointExposure'];

const pathOf = ({ id }: Pick<Endpoint, 'id'>) => ({ path: { id: String(id) } });

/** Returns a page of endpoints, by the parameters of an address. */
export function searchEndpoints(query: SearchTexts, signal?: AbortSignal): Promise<ListAnswer<Endpoint>> {
  return bodyOf(catalog.GET('/api/admin/endpoints', { params: { query: query as never }, signal }));
}

export function getEndpoint(id: string, signal?: AbortSignal): Promise<Endpoint> {
  return bodyOf(catalog.GET('/api/admin/endpoints/{id}', { params: { path: { id } }, signal }));
}

/** Creates an endpoint. @returns the endpoint with its key, which no later request returns */
export function createEndpoint(body: Schemas['CreateEndpoint']): Promise<Schemas['CreatedEndpoint']> {
  return bodyOf(catalog.POST('/api/admin/endpoints', { body }));
}

export function updateEndpoint(endpoint: Endpoint, body: Schemas['UpdateEndpoint']): Promise<Endpoint> {
  return bodyOf(catalog.PATCH('/api/admin/endpoints/{id}', { params: pathOf(endpoint), body }));
}

export function removeEndpoint(endpoint: Endpoint): Promise<unknown> {
  return bodyOf(catalog.DELETE('/api/admin/endpoints/{id}', { params: pathOf(endpoint) }));
}

/** Creates or imports a key. Previous keys end after the overlap. @returns the key, which no later request returns */
export async function rotateKey(endpoint: Endpoint, body: Schemas['IssueEndpointKey']): Promise<string> {
  return (await bodyOf(catalog.POST('/api/admin/endpoints/{id}/key', { params: pathOf(endpoint), body }))).key;
}

export function revokeKeys(endpoint: Endpoint): Promise<unknown> {
  return bodyOf(catalog.DELETE('/api/admin/endpoints/{id}/key', { params: pathOf(endpoint) }));
}

/** Returns the current and past exposures to an endpoint, newest first. */
export function exposuresOf({ id }: Endpoint, limit: number, signal?: AbortSignal): Promise<ListAnswer<Exposure>> {
  const params = { ...pathOf({ id }), query: { limit } };
  return bodyOf(catalog.GET('/api/admin/endpoints/{id}/exposures', { params, signal }));
}
