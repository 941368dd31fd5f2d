import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiResponse, getSchemaPath } from '@nestjs/swagger';

const text = { type: 'string' } as const;

const next = {
  Link: { schema: text, description: 'Address of the next page, with `rel="next"`. Absent on the last page.' },
};

const tagged = {
  ETag: { schema: text, description: 'Version of the list, for the header `If-None-Match` of a later request.' },
};

/** The response as lines. Each line is an item of the JSON response. */
const lines = {
  'application/x-ndjson': { schema: text, example: '{"id": "DS-001"}\n{"id": "DS-002"}\n' },
};

/** Documents a paged response, which is JSON or one item in each line. */
export const ApiPageAnswer = (type: Type, headers: object = {}): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(type),
    ApiOkResponse({
      description: 'With `Accept: application/x-ndjson`, each line of the response is one item.',
      headers: { ...next, ...headers },
      content: { 'application/json': { schema: { $ref: getSchemaPath(type) } }, ...lines },
    }),
  );

/** Documents the response of `answerList`. */
export const ApiListAnswer = (type: Type): MethodDecorator =>
  applyDecorators(
    ApiPageAnswer(type, tagged),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description:
        'The `ETag` of a previous response. If the list has not changed, the response is 304 without a body.',
    }),
    ApiResponse({
      status: 304,
      description: 'The list has not changed since the response with the given `ETag`.',
      headers: tagged,
    }),
  );
