import { tracing, type RequestSpan } from '@rdc/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isTrustedForwarder, type TrustedForwarders } from './forwarded.js';
import { routeOf } from './route-of.js';

/** Asked every few seconds by machines; nobody looks for a trace of it. */
const untraced = /^\/(health|metrics)(\/|$)/;

/**
 * Makes a span of every request, named by its route template. The header `traceparent` counts only where
 * `X-Forwarded-For` would: others begin a trace of their own, whatever they say.
 */
export function traceRequests(instance: FastifyInstance, trusted: TrustedForwarders): void {
  if (!tracing.isOn) return;
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  instance.addHook('onRequest', (request, reply, done) => {
    if (untraced.test(request.url)) {
      done();
      return;
    }
    const { headers, socket } = request;
    const isBelieved = isTrustedForwarder({ peer: socket.remoteAddress ?? '', headers }, trusted);
    const span = tracing.beginRequest(request.method, isBelieved ? headers : {});
    spans.set(request, span);
    request.log = request.log.child({ trace_id: span.traceId });
    reply.raw.once('close', () => {
      span.end(routeOf(request), reply.statusCode);
    });
    done();
  });
  // Reading a body leaves the context in which the request began, so this comes after it.
  instance.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}
