import type { FastifyInstance, RouteOptions } from 'fastify';
import { Readable } from 'node:stream';

/**
 * Answers HEAD wherever GET is answered, with the headers of GET and without a body (RFC 9110, section 9.3.2).
 *
 * Fastify's own routes for HEAD write a `Content-Length` that GET does not have: 0 where the body is not made, the length
 * before compression where GET compresses. Here HEAD takes the way of GET, and only a stream is left out unread. Call this
 * before the first route is registered, of an instance with `exposeHeadRoutes: false`.
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

/** The route for HEAD beside one for GET. Hooks that are added to one of them later are not added to the other. */
function twinOf(route: RouteOptions & { routePath: string }): RouteOptions {
  const entries = Object.entries(route).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...(value as unknown[])] : (value as unknown),
  ]);
  const copy = Object.fromEntries(entries) as RouteOptions;
  return { ...copy, method: 'HEAD', url: route.routePath, path: route.routePath } as RouteOptions;
}

/** A stream without content in place of one that is not read; what follows still sees a stream. */
function emptied(payload: Readable): Readable {
  payload.on('error', () => undefined).destroy();
  return Readable.from([]);
}
