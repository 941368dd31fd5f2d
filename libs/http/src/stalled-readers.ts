import type { FastifyInstance } from 'fastify';
import { routeOf } from './route-of.js';

/** Longer than any pause of a client that still reads. */
const defaultStallMs = 120_000;

/**
 * Closes connections whose clients stop reading, because a response keeps its resources, such as a database connection,
 * until it is sent. A response that has no unsent bytes may take any time.
 *
 * @param ms time without progress after which a connection with unsent bytes is closed
 */
export function boundStalls(instance: FastifyInstance, ms = defaultStallMs): void {
  instance.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    reply.raw.setTimeout(ms, () => {
      if (socket.writableLength === 0) return;
      request.log.warn({ route: routeOf(request) }, 'connection closed: the client stopped reading the response');
      socket.destroy();
    });
    done();
  });
}
