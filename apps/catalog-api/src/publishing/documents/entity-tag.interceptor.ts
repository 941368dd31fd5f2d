import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { isTagged, tagOf, tagsOf } from './entity-tag.js';

/** Adds an entity tag to a response that is no stored document. Sends 304 if the client has the response already. */
@Injectable()
export class EntityTagInterceptor implements NestInterceptor<unknown, string | undefined> {
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
