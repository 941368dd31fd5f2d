import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { DependencyDownError } from '@rdc/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { map, type Observable } from 'rxjs';

/** The maximum time until the response to a read begins. */
export interface ReadDeadline {
  /** Time in milliseconds. */
  readonly ms: number;
  /** The name of the dependency that reads wait for, e.g. `database`. */
  readonly dependency: string;
}

const safeMethods = new Set(['GET', 'HEAD']);
const retryAfterSeconds = 30;

/**
 * Answers 503 to each read whose response has not begun in time, for example because a disk hangs or a network loses
 * packets. A response that has begun is not affected.
 *
 * @param answerError sends the envelope of an error
 */
export function boundReads(
  instance: FastifyInstance,
  { ms, dependency }: ReadDeadline,
  answerError: (error: unknown, request: FastifyRequest, reply: FastifyReply) => void,
): void {
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();
  instance.addHook('onRequest', (request, reply, done) => {
    if (safeMethods.has(request.method)) {
      const expire = (): void => {
        if (!reply.sent) {
          answerError(new DependencyDownError(dependency, undefined, retryAfterSeconds, 'overdue'), request, reply);
        }
      };
      timers.set(request, setTimeout(expire, ms).unref());
    }
    done();
  });
  const clear = (request: FastifyRequest): void => {
    clearTimeout(timers.get(request));
  };
  instance.addHook('onSend', (request, _reply, _payload, done) => {
    clear(request);
    done();
  });
  instance.addHook('onRequestAbort', (request, done) => {
    clear(request);
    done();
  });
  instance.addHook('onResponse', (request, _reply, done) => {
    clear(request);
    done();
  });
}

/** An interceptor that destroys a body if its request was already answered: the body may hold a database connection. */
export class LateBodies implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((body: unknown) => {
        if (reply.sent && body instanceof Readable) body.destroy();
        return body;
      }),
    );
  }
}
