import { ApiResponse } from '@nestjs/swagger';
import { taggedHeaders } from '../schemas/read-responses.decorator.js';

/**
 * A reference to the schema of the written record, for the handlers that all kinds of records inherit. The OpenAPI
 * document replaces the reference by the schema of the kind.
 */
export const writtenRecord = { $ref: '#/components/schemas/WrittenRecord' } as const;

const created = {
  description: 'The record was created.',
  headers: { ...taggedHeaders, Location: { schema: { type: 'string' }, description: 'The path of the record.' } },
} as const;

const current = { description: 'The current record.', headers: taggedHeaders } as const;

/** Documents a response that contains the written record. */
export const ApiWrittenRecord = (status: 200 | 201): MethodDecorator =>
  ApiResponse({
    ...(status === 201 ? created : current),
    status,
    content: { 'application/json': { schema: writtenRecord } },
  });
