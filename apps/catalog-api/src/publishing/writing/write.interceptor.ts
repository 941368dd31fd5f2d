import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { concatMap, type Observable } from 'rxjs';
import { DocumentReader } from '../documents/document-reader.js';
import { CatalogSettings } from '../../platform/settings/catalog.settings.js';
import type { WriteResult } from './record-writing.js';

/** Answers a write with the record as a GET would: 201 and where it is when it is new, else 200; 204 when it is gone. */
@Injectable()
export class WriteInterceptor implements NestInterceptor<WriteResult | undefined, string | undefined> {
  constructor(
    private readonly settings: CatalogSettings,
    private readonly reader: DocumentReader,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<WriteResult | undefined>): Observable<string | undefined> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(concatMap((answer) => this.answer(answer, request, reply)));
  }

  private async answer(
    answer: WriteResult | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | undefined> {
    void reply.header('Cache-Control', 'no-store');
    if (!answer) {
      void reply.code(204);
      return undefined;
    }
    const { created, id, record } = answer;
    const source = this.settings.SERVER_URL ?? request.servedOrigin;
    const written = await this.reader.record(record, { ifNoneMatch: [], source, head: false });
    void reply.code(created ? 201 : 200).type('application/json; charset=utf-8');
    if (written) void reply.header('ETag', written.etag);
    if (created) {
      const path = `${this.settings.BASE_PATH ?? ''}/api/${record.list}/${encodeURIComponent(id)}`;
      void reply.header('Location', path);
    }
    return written?.body as string | undefined;
  }
}
