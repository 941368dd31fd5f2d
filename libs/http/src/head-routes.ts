import type { FastifyInstance, RouteOptions } from 'fastify';
import { Readable } from 'node:stream';

/**
 * Adds a HEAD route for every GET route, with the headers of GET and without a body (RFC 9110, section 9.3.2).
 *
 * Fastify's own HEAD routes send a wrong `Content-Length`: 0 if no body is created, and the uncompressed length if GET
 * compresses. These routes run the GET handler and replace a stream with an empty stream. The instance must have
 * `exposeHeadRoutes: false`, and the function must be called before the first route is registered.
 */
export function answerHeads(instance: FastifyInstance): void {
  instance.addHook('onRoute', function (route) {
    const methods = [route.method].flat();
    const isNew = methods.includes('GET') && !methods.includes('HEAD');
    if (isNew && !this.hasRoute({ method: 'HEAD', url: route.url })) this.route(twinOf(route));
  });
  instance.addHook('onSend', (request, _reply, payload, done) => {
    done(null, request.method === 'HEAD' && payload instanceof Readable ? emptied(payload) : payload);
  });
}

/** Returns the HEAD route of a GET route. The routes have separate lists of hooks. */
function twinOf(route: RouteOptions & { routePath: string }): RouteOptions {
  const entries = Object.entries(route).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...(value as unknown[])] : (value as unknown),
  ]);
  const copy = Object.fromEntries(entries) as RouteOptions;
  return { ...copy, method: 'HEAD', url: route.routePath, path: route.routePath } as RouteOptions;
}

/** Destroys a stream and returns an empty stream, because later hooks expect a stream. */
function emptied(payload: Readable): Readable {
  payload.on('error', () => undefined).destroy();
  return Readable.from([]);
}
