import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path-of.js';

/** The pages of other origins that may read responses. */
export interface CrossOriginRules {
  /** Origins whose pages may call every path with a key. Cookies are accepted from the service's own origin only. */
  readonly origins: readonly string[];
  /** Paths below which every page may read without credentials, such as `/schemas`. */
  readonly publicPaths: readonly string[];
}

/** Headers of the response to a preflight. */
const permissions = {
  named: {
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'Access-Control-Allow-Headers': 'Accept, Content-Type, If-Match, If-None-Match, X-API-Key',
    'Access-Control-Max-Age': '600',
  },
  public: {
    'Access-Control-Allow-Methods': 'GET, HEAD',
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '600',
  },
} as const;

const exposed = 'Deprecation, ETag, Link, Location, Retry-After, X-Request-Id';

/**
 * Allows pages of other origins to read responses (CORS, as the Fetch standard defines it) and answers their
 * preflights.
 *
 * If the response depends on the origin, `Origin` is added to `Vary`, also on errors, 304 and HEAD. An OPTIONS request
 * that is not a preflight is routed like any other method.
 */
export function openToOrigins(instance: FastifyInstance, { origins, publicPaths }: CrossOriginRules): void {
  const isPublic = ({ url }: FastifyRequest): boolean => {
    const path = pathOf(url);
    return publicPaths.some((each) => path === each || path.startsWith(`${each}/`));
  };
  instance.addHook('onRequest', (request, reply, done) => {
    const open = isPublic(request);
    const { origin } = request.headers;
    const allowed = open ? '*' : origins.find((each) => each === origin);
    if (allowed === undefined) {
      done();
      return;
    }
    void reply.headers({ 'Access-Control-Allow-Origin': allowed, 'Access-Control-Expose-Headers': exposed });
    if (!isPreflight(request)) done();
    else
      void reply
        .code(204)
        .headers(open ? permissions.public : permissions.named)
        .send();
  });
  if (origins.length === 0) return;
  instance.addHook('onSend', (request, reply, payload, done) => {
    if (!isPublic(request)) varyBy(reply, 'Origin');
    done(null, payload);
  });
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  const hasHeaders = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  return method === 'OPTIONS' && hasHeaders;
}

/** Adds a name to `Vary` unless the header contains the name. */
function varyBy(reply: FastifyReply, name: string): void {
  const names = [reply.getHeader('Vary') ?? []].flat().flatMap((each) => String(each).split(/,\s*/));
  const isHeld = names.some((each) => each === '*' || each.toLowerCase() === name.toLowerCase());
  if (!isHeld) void reply.header('Vary', [...names, name].join(', '));
}
