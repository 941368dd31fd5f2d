import type { FastifyInstance } from 'fastify';
import { routeOf } from './route-of.js';

/** Longer than anybody needs to go on reading, who still does. */
const defaultStallMs = 120_000;

/**
 * Hangs up on callers who do not read on: what an answer is made of, such as a connection to the database, is kept until
 * it is sent. An answer of which nothing waits to be sent may take as long as it does.
 *
 * @param ms for how long nothing of what waits can be sent, at least
 */
export function boundStalls(instance: FastifyInstance, ms = defaultStallMs): void {
  instance.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    reply.raw.setTimeout(ms, () => {
      if (socket.writableLength === 0) return;
      request.log.warn({ route: routeOf(request) }, 'hung up on a caller who did not read on');
      socket.destroy();
    });
    done();
  });
}
