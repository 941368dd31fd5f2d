import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { AppError, codeOfStatus, envelopeOf, MethodNotAllowedError, statusOf, UnknownRouteError } from '@rdc/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDecodable, pathOf } from './path-of.js';
import type { RouteTable } from './route-table.js';

/** Recognises failures of a library a service uses (its database's, its queue's), or answers undefined. */
export type ErrorTranslator = (error: unknown) => AppError | undefined;

/** The one place where an error becomes an answer. What we did not expect shows its id only; the log holds the rest. */
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

  /** Answers with the envelope; an answer already under way is cut off, so that it can never pass for a whole one. */
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
      return new AppError(code, 'Something went wrong on our side; the log holds it under this request id.');
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

const undecodable = 'The path of the address cannot be decoded: look at what follows its % signs.';

/** The status a framework chose for its own error; 500 for everything that no framework made. */
function frameworkStatusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  const fastifyError = error as { code?: unknown; statusCode?: unknown } | null;
  const isFastify = typeof fastifyError?.code === 'string' && fastifyError.code.startsWith('FST_');
  return isFastify && typeof fastifyError.statusCode === 'number' ? fastifyError.statusCode : 500;
}
