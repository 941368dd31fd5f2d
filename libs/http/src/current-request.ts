import type { FastifyInstance } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';
import { routeOf } from './route-of.js';

/** The properties of a request that all code called by its handler can read. */
export interface CurrentRequest {
  /** The id of the request, as in its log line and its `X-Request-Id`. */
  readonly id: string;
  /** The client's address as `clientAddress` determines it. */
  readonly address: string;
  /** Method and path of the route, e.g. `GET /api/session`. */
  readonly route: string;
}

const requests = new AsyncLocalStorage<CurrentRequest>();

/** Makes the {@link CurrentRequest} available to all code that a handler calls. */
export function rememberRequests(instance: FastifyInstance): void {
  // Reading a body leaves the asynchronous context of the request, so this hook runs after the body parser.
  instance.addHook('preValidation', (request, _reply, done) => {
    const { id, clientAddress: address, method } = request;
    requests.run({ id, address, route: `${method} ${routeOf(request)}` }, done);
  });
}

/** Returns the current request; null outside of requests, for example in jobs and commands. */
export function currentRequest(): CurrentRequest | null {
  return requests.getStore() ?? null;
}

/** Returns the id of the {@link currentRequest}; null outside of requests. */
export function currentRequestId(): string | null {
  return currentRequest()?.id ?? null;
}
