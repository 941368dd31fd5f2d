import type { FastifyInstance } from 'fastify';
import { AsyncLocalStorage } from 'node:async_hooks';

const requestIds = new AsyncLocalStorage<string>();

/** Lets everything that a handler does know the id of its request. */
export function rememberRequestIds(instance: FastifyInstance): void {
  // Reading a body leaves the context in which the request began, so this comes after it.
  instance.addHook('preValidation', (request, _reply, done) => {
    requestIds.run(request.id, done);
  });
}

/** The id of the request being answered, as in its log line and its `X-Request-Id`; null outside of any. */
export function currentRequestId(): string | null {
  return requestIds.getStore() ?? null;
}
