import { SetMetadata, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { UnsupportedMediaTypeError } from '@rdc/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { argumentsOf } from './handler-arguments.js';
import { IncomingBody } from './incoming-body.js';

const takesJsonKey = 'rdc:takes-json';

/** Marks a handler that declares its body as bytes and reads JSON from them. */
export const TakesJson = (): MethodDecorator => SetMetadata(takesJsonKey, true);

const mergePatch = 'application/merge-patch+json';

/** Multipart types, XML and patch formats, which cannot be read as a JSON document. */
const foreignTypes = [/^multipart\//, /^[^/]+\/([^;]+\+)?xml$/, /^[^/]+\/([^;]+[.-])?patch(\+[^;]+)?$/];

/**
 * An interceptor that refuses patch formats, multipart and XML for handlers that read JSON. A body of any other type,
 * or without a type, is read as JSON, because `curl -d` declares a form. PATCH also accepts JSON Merge Patch (RFC
 * 7396), because it replaces the members that it names.
 */
@Injectable()
export class MediaTypeInterceptor implements NestInterceptor {
  /** Makes the body throw {@link UnsupportedMediaTypeError} with the accepted types unless the body is empty. */
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

/** A media type by RFC 9110, section 8.3.1, with any parameters. */
const wellFormed = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Removes a malformed `Content-Type`: Fastify would refuse the request even if no body is needed. */
export function ignoreOddTypes(instance: FastifyInstance): void {
  instance.addHook('onRequest', ({ raw }, _reply, done) => {
    if (!wellFormed.test(raw.headers['content-type'] ?? '')) delete raw.headers['content-type'];
    done();
  });
}

/** Returns a media type without its parameters, in lower case. */
function essenceOf(header: string | undefined): string {
  return (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Returns whether an argument is declared as bytes. */
function isBytes(type: unknown): boolean {
  return type === Buffer;
}

function readsJson(context: ExecutionContext): boolean {
  const bodies = argumentsOf(context, 'body');
  return Reflect.hasMetadata(takesJsonKey, context.getHandler()) || bodies.some(({ type }) => !isBytes(type));
}
