import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './path-of.js';

/** The pages of other origins that may read answers. */
export interface CrossOriginRules {
  /** Origins whose pages may call every address, by key: cookies are for our own origin only. */
  readonly origins: readonly string[];
  /** Paths below which every page may read, such as `/schemas`: the same answer for every caller, without credentials. */
  readonly publicPaths: readonly string[];
}

/** Headers of a preflight's answer: the methods and headers that a page may use. */
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
 * Lets pages of other origins read answers (CORS, as the Fetch standard defines it) and answers their preflights.
 *
 * Where the answer depends on the origin, `Vary` names `Origin` in addition to what the handler writes there: on errors,
 * 304 and HEAD too. Another OPTIONS than a preflight is a method like any other.
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
  const asks = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  return method === 'OPTIONS' && asks;
}

/** Adds a name to `Vary` unless the header holds it. */
function varyBy(reply: FastifyReply, name: string): void {
  const names = [reply.getHeader('Vary') ?? []].flat().flatMap((each) => String(each).split(/,\s*/));
  const isHeld = names.some((each) => each === '*' || each.toLowerCase() === name.toLowerCase());
  if (!isHeld) void reply.header('Vary', [...names, name].join(', '));
}
