import { tracing, type RequestSpan } from '@rdc/telemetry';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isTrustedForwarder, type TrustedForwarders } from './forwarded.js';
import { routeOf } from './route-of.js';

/** Paths that monitoring requests every few seconds. These requests are not traced. */
const untraced = /^\/(health|metrics)(\/|$)/;

/**
 * Creates a span for every request, named by its route template. The header `traceparent` is trusted only if
 * `X-Forwarded-For` is trusted. Every other request starts a new trace.
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
    const isTrusted = isTrustedForwarder({ peer: socket.remoteAddress ?? '', headers }, trusted);
    const span = tracing.beginRequest(request.method, isTrusted ? headers : {});
    spans.set(request, span);
    request.log = request.log.child({ trace_id: span.traceId });
    reply.raw.once('close', () => {
      span.end(routeOf(request), reply.statusCode);
    });
    done();
  });
  // Reading a body leaves the asynchronous context of the request, so this hook runs after the body parser.
  instance.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
}
