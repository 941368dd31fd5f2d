import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AddressList, type IdentifiedRequest } from '@rdc/auth';
import { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { ContractPipe } from './contract.pipe.js';
import { rememberRequestIds } from './current-request.js';
import { ErrorFilter, type ErrorTranslator } from './error.filter.js';
import { clientAddress, servedOrigin, type Forwarded, type TrustedForwarders } from './forwarded.js';
import { acceptEveryBody } from './json-body.js';
import { answerMalformed } from './malformed-request.js';
import { NestLogger } from './nest-logger.js';
import { RouteTable } from './route-table.js';

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
  const routes = new RouteTable();
  const filter = new ErrorFilter(routes, options.translateError);
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    filter.answer(error, request, reply);
  };
  const adapter = new EdgeAdapter({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: answerError,
    genReqId: () => randomUUID(),
    bodyLimit: options.bodyLimit,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 },
    rewriteUrl: (request: IncomingMessage) => withoutBase(request.url ?? '/', options.basePath),
    forceCloseConnections: 'idle',
    clientErrorHandler: answerMalformed,
  });
  const instance = adapter.getInstance<FastifyInstance>();
  instance.setErrorHandler(answerError);
  boundDrain(instance, options.drainMs ?? defaultDrainMs);
  routes.watch(instance);
  noteAddresses(instance, {
    proxies: new AddressList(options.trustedProxies),
    gatewaySecret: options.gatewaySecret,
  });
  rememberRequestIds(instance);
  logRequests(instance);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: new NestLogger(options.logger),
    abortOnError: false,
  });
  acceptEveryBody(instance);
  await options.prepare?.(instance);
  app.useGlobalFilters(filter);
  app.useGlobalPipes(new ContractPipe());
  // Exits by itself: as process 1 of a container it could not end by raising the signal once more.
  app.enableShutdownHooks(['SIGTERM', 'SIGINT'], { useProcessExit: true });
  await app.init();
  return app;
}

/** Leaves errors to the handler of this edge, in whose place Nest would put one that knows only of what Nest routes. */
class EdgeAdapter extends FastifyAdapter {
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance();
  }
}

/** Ends what is still being answered a while after the service was told to end, so that nobody can hold it up. */
function boundDrain(instance: FastifyInstance, ms: number): void {
  instance.addHook('preClose', (done) => {
    setTimeout(() => {
      instance.server.closeAllConnections();
    }, ms).unref();
    done();
  });
}

function withoutBase(url: string, base: string): string {
  if (base === '' || !url.startsWith(base)) return url;
  const rest = url.slice(base.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? `/${rest.replace(/^\//, '')}` : url;
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
        request_id: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unrouted',
        status: reply.statusCode,
        duration_ms: Math.round(reply.elapsedTime),
        caller: request.principal?.kind ?? 'anonymous',
      },
      'answered',
    );
    done();
  });
}
