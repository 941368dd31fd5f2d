import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { nextPageLink } from '@rdc/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { map, type Observable } from 'rxjs';
import { writeCursor } from './list-parameters.dto.js';
import type { StoredDocument, StreamedList } from './stored-response.js';

type Body = string | Readable | undefined;

/** Sends a list or a record: sets the headers and the status, and passes the body on. */
@Injectable()
export class StoredResponseInterceptor implements NestInterceptor<StreamedList | StoredDocument, Body> {
  intercept(context: ExecutionContext, next: CallHandler<StreamedList | StoredDocument>): Observable<Body> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((response) => send(response, request, reply)));
  }
}

function send(response: StreamedList | StoredDocument, request: FastifyRequest, reply: FastifyReply): Body {
  const { etag, headers, body } = response;
  void reply.headers({ ETag: etag, ...headers });
  if ('next' in response && response.next) {
    void reply.header('Link', nextPageLink(request, writeCursor(response.next)));
  }
  if (body === undefined) void reply.code(304).removeHeader('Content-Type');
  return body;
}
