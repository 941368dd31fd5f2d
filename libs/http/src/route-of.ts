import type { FastifyRequest } from 'fastify';

/** Returns the template of a request's route, such as `/api/projects/:id`, or `unrouted` if there is no route. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unrouted';
}
