import type { FastifyRequest } from 'fastify';

/** The template of the route that answers a request, such as `/api/projects/:id`; one word for all that none answers. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unrouted';
}
