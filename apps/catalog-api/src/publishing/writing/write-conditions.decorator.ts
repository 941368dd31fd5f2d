import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { tagsOf } from '../documents/entity-tag.js';

/** The query of a write. */
export class WriteParameters {
  @ApiPropertyOptional({
    enum: ['true', 'false'],
    description: 'Make the projects, partners, cohorts and platforms that the document names and that do not exist.',
  })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'create_missing must be true or false' })
  create_missing?: string;
}

/** What the headers of a write say. */
export interface RequestConditions {
  readonly ifMatch: readonly string[];
  readonly onlyNew: boolean;
  /** The origin the caller asked. */
  readonly origin: string;
}

/** Gives a handler the conditions under which the caller wants the write. */
export const Conditions = createParamDecorator((_: unknown, context: ExecutionContext): RequestConditions => {
  const { headers, servedOrigin } = context.switchToHttp().getRequest<FastifyRequest>();
  return {
    ifMatch: tagsOf(headers['if-match']),
    onlyNew: tagsOf(headers['if-none-match']).includes('*'),
    origin: servedOrigin,
  };
});
