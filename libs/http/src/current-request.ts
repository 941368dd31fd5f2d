import type { FastifyInstance } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import { routeOf } from './route-of.js';

/** The facts about a request that everything which its handler starts may read. */
export interface CurrentRequest {
  /** The id of the request, as in its log line and its `X-Request-Id`. */
  readonly id: string;
  /** The address from which the request came, by the rule of `clientAddress`. */
  readonly address: string;
  /** Method and path of the route, e.g. `GET /api/session`. */
  readonly route: string;
}

const requests = new AsyncLocalStorage<CurrentRequest>();

/** Lets everything that a handler starts read the {@link CurrentRequest}. */
export function rememberRequests(instance: FastifyInstance): void {
  // Reading a body leaves the context in which the request began, so this hook comes after it.
  instance.addHook('preValidation', (request, _reply, done) => {
    const { id, clientAddress: address, method } = request;
    requests.run({ id, address, route: `${method} ${routeOf(request)}` }, done);
  });
}

/** The request that is answered now; null outside of any request, as in jobs and commands. */
export function currentRequest(): CurrentRequest | null {
  return requests.getStore() ?? null;
}

/** The id of {@link currentRequest}; null outside of any request. */
export function currentRequestId(): string | null {
  return currentRequest()?.id ?? null;
}
