import type { FastifyRequest } from 'fastify';
import { keyParameter } from './deprecated-query-key.js';

/**
 * Returns the header `Link` with the next page of a list: the address of the request with another cursor and without the
 * key. The address is absolute, because some clients follow only absolute links. It is relative if the request has no
 * valid `Host`.
 */
export function nextPageLink({ servedOrigin, originalUrl }: FastifyRequest, cursor: string): string {
  const [path = '', ...queries] = originalUrl.split('?');
  const parameters = new URLSearchParams(queries.join('?'));
  parameters.delete(keyParameter);
  parameters.set('cursor', cursor);
  return `<${servedOrigin}${path.replace(/\/{2,}/g, '/')}?${parameters.toString()}>; rel="next"`;
}
