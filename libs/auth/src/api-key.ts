import { InvalidInputError } from '@rdc/errors';

/** The parts of a request in which a key can come. */
export interface KeyCarrier {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: unknown;
}

/** No key of ours is longer; a longer one is not looked up. */
export const maxKeyLength = 512;

/**
 * The key a request carries: the header `X-API-Key`, else the query parameter `API_KEY` (the older way, which existing
 * importers use). An empty one counts as not sent.
 *
 * @throws InvalidInputError when the parameter is repeated, for then it is not clear who is calling
 */
export function apiKeyOf({ headers, query }: KeyCarrier): string | null {
  const header = headers['x-api-key'];
  if (typeof header === 'string' && header.trim() !== '') return header.trim();
  const parameter = (query as Record<string, unknown> | null)?.['API_KEY'];
  if (Array.isArray(parameter)) throw new InvalidInputError([{ field: 'API_KEY', problem: 'must be given once' }]);
  return typeof parameter === 'string' && parameter !== '' ? parameter : null;
}
