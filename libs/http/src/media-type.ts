import { SetMetadata, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { UnsupportedMediaTypeError } from '@rdc/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { argumentsOf } from './handler-arguments.js';
import { IncomingBody } from './incoming-body.js';

const takesJsonKey = 'rdc:takes-json';

/** Marks a handler that takes the bytes of its body and reads JSON from them. */
export const TakesJson = (): MethodDecorator => SetMetadata(takesJsonKey, true);

const mergePatch = 'application/merge-patch+json';

/** Types that say how a body is to be applied, that it has parts, or that it is XML: none of it means what JSON would. */
const foreignTypes = [/^multipart\//, /^[^/]+\/([^;]+\+)?xml$/, /^[^/]+\/([^;]+[.-])?patch(\+[^;]+)?$/];

/**
 * Refuses a body whose `Content-Type` says that it is a patch, has parts or is XML, where JSON is read. Every other type
 * is read as JSON, and so is a body without one: `curl -d` says that it sends a form. A PATCH replaces the members it
 * names, as a JSON Merge Patch of such documents does (RFC 7396), and takes that type too.
 */
@Injectable()
export class MediaTypeInterceptor implements NestInterceptor {
  /** Has the body refused with {@link UnsupportedMediaTypeError} and the accepted types, unless it is empty. */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const isPatch = request.method === 'PATCH';
    const type = essenceOf(request.headers['content-type']);
    const isForeign = foreignTypes.some((each) => each.test(type)) && !(isPatch && type === mergePatch);
    if (isForeign && readsJson(context) && request.body instanceof IncomingBody) {
      const allowed = ['application/json', ...(isPatch ? [mergePatch] : [])];
      if (isPatch) void http.getResponse<FastifyReply>().header('Accept-Patch', allowed.join(', '));
      request.body.refuseUnlessEmpty(new UnsupportedMediaTypeError(type, allowed));
    }
    return next.handle();
  }
}

/** A type as RFC 9110, section 8.3.1, writes it, whatever its parameters. */
const wellFormed = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Takes a `Content-Type` that is none as absent; Fastify would refuse the request, also where no body is needed. */
export function ignoreOddTypes(instance: FastifyInstance): void {
  instance.addHook('onRequest', ({ raw }, _reply, done) => {
    if (!wellFormed.test(raw.headers['content-type'] ?? '')) delete raw.headers['content-type'];
    done();
  });
}

/** A type without its parameters, in lower case. */
function essenceOf(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether a handler takes the bytes of a body, whatever the type of the body. */
function isBytes(type: unknown): boolean {
  return type === Buffer;
}

function readsJson(context: ExecutionContext): boolean {
  const bodies = argumentsOf(context, 'body');
  return Reflect.hasMetadata(takesJsonKey, context.getHandler()) || bodies.some(({ type }) => !isBytes(type));
}
