import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiResponse, getSchemaPath } from '@nestjs/swagger';

const text = { type: 'string' } as const;

const next = { Link: { schema: text, description: 'Where the next page is, with `rel="next"`; absent on the last.' } };

const tagged = { ETag: { schema: text, description: 'Send it back in `If-None-Match`.' } };

/** An item for each line; what the items are, the answer in JSON says. */
const lines = {
  'application/x-ndjson': { schema: text, example: '{"id": "DS-001"}\n{"id": "DS-002"}\n' },
};

/** Describes an answer of items, of which a caller may take one page, and a line for each. */
export const ApiPageAnswer = (type: Type, headers: object = {}): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(type),
    ApiOkResponse({
      description: 'With `Accept: application/x-ndjson` each line is an item.',
      headers: { ...next, ...headers },
      content: { 'application/json': { schema: { $ref: getSchemaPath(type) } }, ...lines },
    }),
  );

/** Describes what `answerList` answers: a page that is not sent to who has it already. */
export const ApiListAnswer = (type: Type): MethodDecorator =>
  applyDecorators(
    ApiPageAnswer(type, tagged),
    ApiHeader({ name: 'If-None-Match', required: false, description: 'The tag of the answer the caller has.' }),
    ApiResponse({ status: 304, description: 'The caller has it already.', headers: tagged }),
  );
