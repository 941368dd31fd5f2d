import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { tagsOf } from './entity-tag.js';

/** The parts of a request that, in addition to the query, determine the response to a read. */
export interface ReadConditions {
  /** The tags of `If-None-Match`. */
  readonly ifNoneMatch: readonly string[];
  /** Whether only the headers are needed. The body of a whole list is then an empty stream, and no row is read. */
  readonly head: boolean;
  /** The origin under which the request was served. */
  readonly origin: string;
  /** The `Accept` header. */
  readonly accept: string | undefined;
}

/** Passes the read conditions of the request to a handler. */
export const ReadHeaders = createParamDecorator((_: unknown, context: ExecutionContext): ReadConditions => {
  const { headers, method, servedOrigin } = context.switchToHttp().getRequest<FastifyRequest>();
  return {
    ifNoneMatch: tagsOf(headers['if-none-match']),
    head: method === 'HEAD',
    origin: servedOrigin,
    accept: headers.accept,
  };
});
