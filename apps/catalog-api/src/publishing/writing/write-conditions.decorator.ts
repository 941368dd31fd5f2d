import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { tagsOf } from '../documents/entity-tag.js';

/** The query of a write. */
export class WriteParameters {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Create the projects, partners, cohorts and platforms that the document names and that do not exist.',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'create_missing must be true or false' })
  create_missing?: string;
}

/** The preconditions in the headers of a write. */
export interface RequestConditions {
  readonly ifMatch: readonly string[];
  readonly onlyNew: boolean;
  /** The origin under which the request was served. */
  readonly origin: string;
}

/** Documents the header `If-Match` of a write. */
export const ApiIfMatch = (): MethodDecorator =>
  ApiHeader({
    name: 'If-Match',
    required: false,
    description: 'The write is refused unless the record has one of these entity tags.',
  });

/** Passes the preconditions of the request to a handler. */
export const Conditions = createParamDecorator((_: unknown, context: ExecutionContext): RequestConditions => {
  const { headers, servedOrigin } = context.switchToHttp().getRequest<FastifyRequest>();
  return {
    ifMatch: tagsOf(headers['if-match']),
    onlyNew: tagsOf(headers['if-none-match']).includes('*'),
    origin: servedOrigin,
  };
});
