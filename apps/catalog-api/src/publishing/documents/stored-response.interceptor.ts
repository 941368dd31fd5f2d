import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { map, type Observable } from 'rxjs';
import type { Cursor } from './document-query.js';
import { writeCursor } from './list-parameters.dto.js';
import type { StoredDocument, StreamedList } from './stored-response.js';

type Body = string | Readable | undefined;

/** Sends a list or a record: sets the headers and the status, and passes the body on. */
@Injectable()
export class StoredResponseInterceptor implements NestInterceptor<StreamedList | StoredDocument, Body> {
  intercept(context: ExecutionContext, next: CallHandler<StreamedList | StoredDocument>): Observable<Body> {
    const { url } = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((response) => send(response, url, reply)));
  }
}

function send(response: StreamedList | StoredDocument, url: string, reply: FastifyReply): Body {
  const { etag, headers, body } = response;
  void reply.headers({ ETag: etag, ...headers });
  if ('next' in response && response.next) {
    void reply.header('Link', `<${nextPage(url, response.next)}>; rel="next"`);
  }
  if (body === undefined) void reply.code(304).removeHeader('Content-Type');
  return body;
}

/** Returns the address of the next page without the key. The address is relative, so that it holds behind any ingress. */
function nextPage(url: string, next: Cursor): string {
  const query = new URLSearchParams(/\?.*/.exec(url)?.[0]);
  query.delete('API_KEY');
  query.set('cursor', writeCursor(next));
  return `?${query.toString()}`;
}
