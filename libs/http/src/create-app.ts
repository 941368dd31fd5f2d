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
import { routedUrl, withoutAlias } from './path-of.js';
import { boundReads, LateBodies, type ReadDeadline } from './read-deadline.js';
import { traceRequests } from './request-spans.js';
import { routeOf } from './route-of.js';
import { secureAnswers } from './security-headers.js';
import { RouteTable } from './route-table.js';
import { boundStalls } from './stalled-readers.js';

/** The options of the HTTP edge that both services share. */
export interface EdgeOptions {
  /** Maximum size of a body in bytes. A larger body is answered with 413. */
  readonly bodyLimit: number;
  /** The path prefix under which an ingress forwards requests, without a slash at its end; `''` for none. */
  readonly basePath: string;
  /** Paths that answer under further addresses, by address; none by default. Guards and limits see only the path. */
  readonly aliases?: ReadonlyMap<string, string>;
  /** Addresses and CIDR blocks of the proxies whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** The secret of the gateway on the same machine; undefined if there is no gateway. */
  readonly gatewaySecret: string | undefined;
  /** Other origins whose pages may read responses (CORS); none by default. */
  readonly corsOrigins?: readonly string[];
  /** Paths below which pages of every origin may read responses (CORS); none by default. */
  readonly publicPaths?: readonly string[];
  /** The path of the service's documentation, such as `/docs`. Responses to deprecated calls link to the page. */
  readonly docsPath?: string;
  /** Time within which a request must arrive completely, in milliseconds; a minute by default. */
  readonly requestTimeoutMs?: number;
  /** Time after which a connection is closed if its client reads nothing, in milliseconds; two minutes by default. */
  readonly stallMs?: number;
  /** Maximum time until the response to a read begins. If absent, reads wait for their dependencies without a limit. */
  readonly readDeadline?: ReadDeadline;
  readonly logger: Logger;
  /** Recognises the failures of the service's dependencies. */
  readonly translateError: ErrorTranslator;
  /** Time that responses in progress have to complete at shutdown, in milliseconds; 8 seconds by default. */
  readonly drainMs?: number;
  /** Registers plugins of this service. Called before the routes are registered. */
  readonly prepare?: (instance: FastifyInstance) => PromiseLike<unknown>;
}

/** Less than the ten seconds after which Docker kills a container that it has stopped. */
const defaultDrainMs = 8000;

/** Interval at which idle connections are closed at shutdown. */
const idleCheckMs = 100;

const defaultRequestTimeoutMs = 60_000;

/** Headers are small: a client that takes longer probably holds the connection open on purpose. */
const maxHeadersTimeoutMs = 15_000;

/**
 * Rules for matching paths. A path segment may have any length, so that a long unknown id is answered like a short one.
 */
const routerOptions = { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize };

declare module 'fastify' {
  interface FastifyRequest {
    /** The client's address as `clientAddress` determines it. */
    clientAddress: string;
    /** The origin of the service as the client sees it, determined by `servedOrigin`. */
    readonly servedOrigin: string;
  }
}

/**
 * Creates the HTTP application of a service with the edge that both services share: request ids, the error envelope,
 * 404 and 405, unread bodies, the client's address, and one log line per request.
 *
 * The application does not listen yet.
 */
export async function createApp(module: Type | DynamicModule, options: EdgeOptions): Promise<NestFastifyApplication> {
  const routes = new RouteTable(routerOptions);
  const malformed = new MalformedRequests();
  const { aliases = new Map<string, string>() } = options;
  const filter = new ErrorFilter(routes, options.translateError);
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    filter.answer(error, request, reply);
  };
  const adapter = new EdgeAdapter({
    ...serverOptionsOf(options),
    frameworkErrors: answerError,
    rewriteUrl: ({ url = '/' }: IncomingMessage) => withoutAlias(routedUrl(url, options.basePath), aliases),
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
  // Process 1 of a container cannot end itself by raising the signal again, so Nest must exit.
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  await app.init();
  return app;
}

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

/** Adds the hooks that run for every request. */
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

/**
 * An adapter that keeps this edge's error handler. Nest's own handler would see only errors of routes that Nest
 * registers.
 */
class EdgeAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }
}

/**
 * Limits the duration of a shutdown. Idle connections are closed at short intervals, because clients may keep them
 * open. After the given time, all connections are closed.
 */
function boundDrain(instance: FastifyInstance, ms: number): void {
  const { server } = instance;
  let checking: NodeJS.Timeout | undefined;
  instance.addHook('preClose', (done) => {
    checking = setInterval(() => {
      server.closeIdleConnections();
    }, idleCheckMs).unref();
    setTimeout(() => {
      server.closeAllConnections();
    }, ms).unref();
    done();
  });
  instance.addHook('onClose', (_instance, done) => {
    clearInterval(checking);
    done();
  });
}

/** Returns the time limits for slow senders. */
function timeoutsOf(requestTimeout: number): Pick<FastifyServerOptions, 'requestTimeout'> & { http: ServerOptions } {
  const headersTimeout = Math.min(maxHeadersTimeoutMs, requestTimeout);
  return {
    requestTimeout,
    // `MalformedRequests` refuses a missing Host with an error envelope.
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

/** The routes that a cluster and Prometheus read every few seconds. */
const polledRoutes = /^\/(health\/|metrics$)/;

/**
 * Logs one line per request, without its query, which may contain a key, and without its body. A successful probe or scrape
 * is logged for debugging only.
 */
function logRequests(instance: FastifyInstance): void {
  instance.addHook('onResponse', (request: FastifyRequest & IdentifiedRequest, reply, done) => {
    const route = routeOf(request);
    const level = polledRoutes.test(route) && reply.statusCode < 400 ? 'debug' : 'info';
    request.log[level](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
        caller: request.principal?.kind ?? 'anonymous',
      },
      'answered',
    );
    done();
  });
}
