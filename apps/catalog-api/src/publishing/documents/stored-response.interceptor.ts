import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { UnknownRecordError } from '@rdc/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { concatMap, type Observable } from 'rxjs';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import type { Cursor, ListRequest, RecordRequest } from './document-query.js';
import { tagsOf } from './entity-tag.js';
import { DocumentReader, type ReadAnswer } from './document-reader.js';
import { writeCursor } from './list-parameters.dto.js';

/**
 * Answers what a handler asks of the stored documents: streams a list, sends a record, or says that the caller has it
 * already. What depends on the key is never kept by a shared cache.
 */
@Injectable()
export class ExportInterceptor implements NestInterceptor<ListRequest | RecordRequest, string | Readable | undefined> {
  constructor(
    private readonly settings: CatalogSettings,
    private readonly reader: DocumentReader,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler<ListRequest | RecordRequest>,
  ): Observable<string | Readable | undefined> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(concatMap((wanted) => this.answer(wanted, request, reply)));
  }

  private async answer(
    wanted: ListRequest | RecordRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | Readable | undefined> {
    const options = {
      ifNoneMatch: tagsOf(request.headers['if-none-match']),
      source: this.settings.SERVER_URL ?? request.servedOrigin,
      head: request.method === 'HEAD',
    };
    const answer = await ('kind' in wanted ? this.record(wanted, options) : this.reader.list(wanted, options));
    void reply.headers({ ETag: answer.etag, ...(wanted.headers ?? jsonForTheKey) });
    if (answer.next) void reply.header('Link', `<${nextPage(request.url, answer.next)}>; rel="next"`);
    if (answer.notModified) void reply.code(304).removeHeader('Content-Type');
    return answer.body;
  }

  private async record(wanted: RecordRequest, options: Parameters<DocumentReader['record']>[1]): Promise<ReadAnswer> {
    const answer = await this.reader.record(wanted, options);
    if (!answer) throw new UnknownRecordError(wanted.kind, wanted.id);
    return answer;
  }
}

/** JSON that depends on the key, which no shared cache may keep. */
export const jsonForTheKey = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'private, no-cache',
  Vary: 'X-API-Key, Cookie',
} as const;

/** Relative to the request, so that it holds behind any ingress; a key in the query is not repeated. */
function nextPage(url: string, next: Cursor): string {
  const query = new URLSearchParams(/\?.*/.exec(url)?.[0]);
  query.delete('API_KEY');
  query.set('cursor', writeCursor(next));
  return `?${query.toString()}`;
}
