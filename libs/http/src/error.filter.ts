import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AppError, codeOfStatus, envelopeOf, MethodNotAllowedError, statusOf, UnknownRouteError } from '@rdc/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDecodable, pathOf } from './path-of.js';
import type { RouteTable } from './route-table.js';

/**
 * A function that converts a failure of a library, such as a database client, to an `AppError`, or returns undefined.
 */
export type ErrorTranslator = (error: unknown) => AppError | undefined;

/** The filter that converts every error to a response. The details of an unexpected error are in the log only. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly routes: RouteTable,
    private readonly translate: ErrorTranslator,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /**
   * Sends the error envelope. If a response has begun, its connection is cut, so that the client sees it is incomplete.
   */
  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const known = this.translate(error) ?? this.recognise(error, request);
    if (statusOf(known.code) >= 500) request.log.error({ err: error, code: known.code }, 'request failed');
    if (reply.raw.headersSent) {
      reply.raw.destroy();
      return;
    }
    if (known.allow) void reply.header('Allow', known.allow.join(', '));
    if (known.retryAfterSeconds !== undefined) void reply.header('Retry-After', String(known.retryAfterSeconds));
    void reply
      .code(statusOf(known.code))
      .header('Cache-Control', 'no-store')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(envelopeOf(known, request.id)));
  }

  private recognise(error: unknown, request: FastifyRequest): AppError {
    if (error instanceof AppError) return error;
    const status = frameworkStatusOf(error);
    if (status === 404) return this.unrouted(request);
    const code = codeOfStatus(status);
    if (code === 'server.fault') {
      return new AppError(
        code,
        'The service failed to handle the request; the log of the service has the reason under this request id.',
      );
    }
    return new AppError(code, error instanceof Error ? error.message : 'The request cannot be answered.');
  }

  private unrouted(request: FastifyRequest): AppError {
    if (!isDecodable(request.originalUrl)) return new AppError('input.invalid', undecodable);
    const allow = this.routes.methodsAt(request.url);
    return allow.length > 0 && !allow.includes(request.method)
      ? new MethodNotAllowedError(request.method, allow)
      : new UnknownRouteError(pathOf(request.url));
  }
}

const undecodable = 'The path cannot be decoded: each % must begin the escape of a UTF-8 byte, such as %20.';

/** Returns the status of an error that Nest or Fastify created, and 500 for every other error. */
function frameworkStatusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const fastifyError = error as { code?: unknown; statusCode?: unknown } | null;
  const isFastify = typeof fastifyError?.code === 'string' && fastifyError.code.startsWith('FST_');
  return isFastify && typeof fastifyError.statusCode === 'number' ? fastifyError.statusCode : 500;
}
