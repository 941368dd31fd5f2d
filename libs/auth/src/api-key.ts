import { InvalidInputError } from '@rdc/errors';

/** The parts of a request that can contain a key. */
export interface KeyCarrier {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: unknown;
}

/** Maximum length of a key. A longer key is refused without a lookup. */
export const maxKeyLength = 512;

/**
 * Returns the key of a request: the header `X-API-Key`, or else the query parameter `API_KEY`, which existing importers
 * use. An empty key counts as absent.
 *
 * @throws InvalidInputError if the parameter is repeated, because the caller is then ambiguous
 */
export function apiKeyOf({ headers, query }: KeyCarrier): string | null {
  const header = headers['x-api-key'];
  if (typeof header === 'string' && header.trim() !== '') return header.trim();
  const parameter = (query as Record<string, unknown> | null)?.['API_KEY'];
  if (Array.isArray(parameter)) throw new InvalidInputError([{ field: 'API_KEY', problem: 'must be given once' }]);
  return typeof parameter === 'string' && parameter !== '' ? parameter : null;
}
