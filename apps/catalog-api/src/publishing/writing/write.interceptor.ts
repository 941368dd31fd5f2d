import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';
import { HttpSettings } from '../../platform/settings/http.settings.js';
import type { WriteResult } from './record-writing.js';

/** Sends the result of a write: 201 with `Location` for a new record, 200 for another one, 204 for a removal. */
@Injectable()
export class WriteInterceptor implements NestInterceptor<WriteResult | undefined, string | undefined> {
  private readonly basePath: string;

  constructor({ BASE_PATH }: HttpSettings) {
    this.basePath = BASE_PATH ?? '';
  }

  intercept(context: ExecutionContext, next: CallHandler<WriteResult | undefined>): Observable<string | undefined> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((result) => this.send(result, reply)));
  }

  private send(result: WriteResult | undefined, reply: FastifyReply): string | undefined {
    void reply.header('Cache-Control', 'no-store');
    if (!result) {
      void reply.code(204);
      return undefined;
    }
    const { created, list, id, document } = result;
    void reply.code(created ? 201 : 200).type('application/json; charset=utf-8');
    if (document) void reply.header('ETag', document.etag);
    if (created) void reply.header('Location', `${this.basePath}/api/${list}/${encodeURIComponent(id)}`);
    return document?.body;
  }
}
