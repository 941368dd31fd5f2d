import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { isTagged, tagOf, tagsOf } from './entity-tag.js';

/** Tags an answer that is not made of stored documents by what it says, and leaves it out when the caller has it. */
@Injectable()
export class TaggedInterceptor implements NestInterceptor<unknown, string | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<string | undefined> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((answer) => {
        const body = JSON.stringify(answer);
        const etag = tagOf(body);
        void reply.header('ETag', etag);
        if (isTagged(etag, tagsOf(request.headers['if-none-match']))) {
          void reply.code(304);
          return undefined;
        }
        void reply.type('application/json; charset=utf-8');
        return body;
      }),
    );
  }
}
