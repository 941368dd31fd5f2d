import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AddressList, type IdentifiedRequest } from '@rdc/auth';
import {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { randomUUID } from 'node:crypto';
import { maxHeaderSize, type IncomingMessage, type ServerOptions } from 'node:http';
import type { Logger } from 'pino';
import { ContractPipe } from './contract.pipe.js';
import { openToOrigins } from './cross-origin.js';
import { rememberRequests } from './current-request.js';
import { deprecateQueryKeys } from './deprecated-query-key.js';
import { ErrorFilter, type ErrorTranslator } from './error.filter.js';
import { clientAddress, servedOrigin, type Forwarded, type TrustedForwarders } from './forwarded.js';
import { answerHeads } from './head-routes.js';
import { acceptEveryBody } from './incoming-body.js';
import { KnownParametersInterceptor } from './known-parameters.js';
import { lingerOnClose } from './lingering-close.js';
import { MalformedRequests } from './malformed-request.js';
import { ignoreOddTypes, MediaTypeInterceptor } from './media-type.js';
import { NestLogger } from './nest-logger.js';
import { routedUrl } from './path-of.js';
import { boundReads, LateBodies, type ReadDeadline } from './read-deadline.js';
import { traceRequests } from './request-spans.js';
import { routeOf } from './route-of.js';
import { secureAnswers } from './security-headers.js';
import { RouteTable } from './route-table.js';
import { boundStalls } from './stalled-readers.js';

/** What both services' edges are told. */
export interface EdgeOptions {
  /** The largest body, in bytes; a larger one answers 413. */
  readonly bodyLimit: number;
  /** A prefix under which an ingress forwards to us, without its last slash; `''` for none. */
  readonly basePath: string;
  /** Addresses and CIDR blocks of proxies whose forwarding headers count. */
  readonly trustedProxies: readonly string[];
  /** What our own gateway proves itself with, if there is one. */
  readonly gatewaySecret: string | undefined;
  /** Other origins whose pages may read answers (CORS); none by default. */
  readonly corsOrigins?: readonly string[];
  /** Paths below which the pages of every origin may read (CORS); none by default. */
  readonly publicPaths?: readonly string[];
  /** The path of the page that documents this service, such as `/docs`; deprecated calls are sent there. */
  readonly docsPath?: string;
  /** Within which time a request must have come whole, in milliseconds; a minute by default. */
  readonly requestTimeoutMs?: number;
  /** For how long a caller may read nothing of what waits to be sent, in milliseconds; two minutes by default. */
  readonly stallMs?: number;
  /** Bound on the time until the answer to a read begins; without one, reads wait as long as what they need does. */
  readonly readDeadline?: ReadDeadline;
  readonly logger: Logger;
  /** Recognises the failures of what this service depends on. */
  readonly translateError: ErrorTranslator;
  /** For how long answers under way may go on once the service is told to end, in milliseconds; 8 seconds by default. */
  readonly drainMs?: number;
  /** Registers what only this service's edge has, before its routes are. */
  readonly prepare?: (instance: FastifyInstance) => PromiseLike<unknown>;
}

/** Less than the ten seconds after which Docker kills what was told to end. */
const defaultDrainMs = 8000;

/** How soon a connection is closed that has become idle while the service ends. */
const idleLookMs = 100;

const defaultRequestTimeoutMs = 60_000;

/** Headers are small: who takes longer for them holds connections open on purpose. */
const maxHeadersTimeoutMs = 15_000;

/** The rules by which paths are matched. No part of a path is too long for its route: an id that no record has is answered as such. */
const routerOptions = { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize };

declare module 'fastify' {
  interface FastifyRequest {
    /** The address the request came from, by the rule of `clientAddress`. */
    clientAddress: string;
    /** The origin under which the caller sees this service, by the rule of `servedOrigin`. */
    readonly servedOrigin: string;
  }
}

/**
 * Makes a service's HTTP application with the edge that both services share: request ids, one error envelope, 404 and
 * 405, bodies as bytes until asked for, the caller's real address, one log line a request.
 *
 * It does not listen yet; tests and `main.ts` both call it.
 */
export async function createApp(module: Type | DynamicModule, options: EdgeOptions): Promise<NestFastifyApplication> {
  const routes = new RouteTable(routerOptions);
  const malformed = new MalformedRequests();
  const filter = new ErrorFilter(routes, options.translateError);
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    filter.answer(error, request, reply);
  };
  const adapter = new EdgeAdapter({
    ...serverOptionsOf(options),
    frameworkErrors: answerError,
    rewriteUrl: (request: IncomingMessage) => routedUrl(request.url ?? '/', options.basePath),
    clientErrorHandler: malformed.answer,
  });
  const instance = adapter.getInstance<FastifyInstance>();
  instance.setErrorHandler(answerError);
  answerHeads(instance);
  routes.watch(instance);
  watchRequests(instance, options);
  if (options.readDeadline) boundReads(instance, options.readDeadline, answerError);
  malformed.watch(instance);
  ignoreOddTypes(instance);
  routes.guard(instance);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: new NestLogger(options.logger),
    abortOnError: false,
  });
  acceptEveryBody(instance);
  await options.prepare?.(instance);
  app.useGlobalFilters(filter);
  app.useGlobalInterceptors(new LateBodies(), new KnownParametersInterceptor(), new MediaTypeInterceptor());
  app.useGlobalPipes(new ContractPipe());
  // Exits by itself: as process 1 of a container it could not end by raising the signal once more.
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  await app.init();
  return app;
}

/** Returns the options by which the server below Nest reads requests, limits them and ends. */
function serverOptionsOf(options: EdgeOptions): FastifyServerOptions & { http: ServerOptions } {
  return {
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    bodyLimit: options.bodyLimit,
    routerOptions,
    exposeHeadRoutes: false,
    ...timeoutsOf(options.requestTimeoutMs ?? defaultRequestTimeoutMs),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  };
}

/** Adds the hooks that every request passes, whatever answers it. */
function watchRequests(instance: FastifyInstance, options: EdgeOptions): void {
  boundDrain(instance, options.drainMs ?? defaultDrainMs);
  boundStalls(instance, options.stallMs);
  lingerOnClose(instance);
  const trusted = { proxies: new AddressList(options.trustedProxies), gatewaySecret: options.gatewaySecret };
  noteAddresses(instance, trusted);
  traceRequests(instance, trusted);
  rememberRequests(instance);
  logRequests(instance);
  secureAnswers(instance);
  openToOrigins(instance, { origins: options.corsOrigins ?? [], publicPaths: options.publicPaths ?? [] });
  deprecateQueryKeys(instance, options.docsPath && `${options.basePath}${options.docsPath}`);
}

/** Leaves errors to the handler of this edge, in whose place Nest would put one that knows only of what Nest routes. */
class EdgeAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }
}

/**
 * Ends what is still being answered a while after the service was told to end, so that nobody can hold it up; and each
 * connection whose last answer is out as soon as it is, for nobody else would until the caller does.
 */
function boundDrain(instance: FastifyInstance, ms: number): void {
  const { server } = instance;
  let looking: NodeJS.Timeout | undefined;
  instance.addHook('preClose', (done) => {
    looking = setInterval(() => {
      server.closeIdleConnections();
    }, idleLookMs).unref();
    setTimeout(() => {
      server.closeAllConnections();
    }, ms).unref();
    done();
  });
  instance.addHook('onClose', (_instance, done) => {
    clearInterval(looking);
    done();
  });
}

/** Bounds what a slow sender can hold open; Node looks at its connections about that often. */
function timeoutsOf(requestTimeout: number): Pick<FastifyServerOptions, 'requestTimeout'> & { http: ServerOptions } {
  const headersTimeout = Math.min(maxHeadersTimeoutMs, requestTimeout);
  return {
    requestTimeout,
    // A missing Host is refused by this edge, with a body that says so.
    http: { headersTimeout, connectionsCheckingInterval: headersTimeout / 3, requireHostHeader: false },
  };
}

function noteAddresses(instance: FastifyInstance, trusted: TrustedForwarders): void {
  const forwardedBy = ({ socket, headers }: FastifyRequest): Forwarded => ({
    peer: socket.remoteAddress ?? '',
    headers,
  });
  instance.decorateRequest('clientAddress', '');
  instance.decorateRequest('servedOrigin', {
    getter() {
      return servedOrigin(forwardedBy(this), trusted);
    },
  });
  instance.addHook('onRequest', (request, reply, done) => {
    request.clientAddress = clientAddress(forwardedBy(request), trusted);
    void reply.header('X-Request-Id', request.id);
    done();
  });
}

/** One line a request: never its query, which may hold a key, and never its body. */
function logRequests(instance: FastifyInstance): void {
  instance.addHook('onResponse', (request: FastifyRequest & IdentifiedRequest, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: routeOf(request),
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
        caller: request.principal?.kind ?? 'anonymous',
      },
      'answered',
    );
    done();
  });
}
