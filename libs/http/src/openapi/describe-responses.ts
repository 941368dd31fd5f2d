import type { OpenAPIObject } from '@nestjs/swagger';
import { statusByCode } from '@rdc/errors';
import { refusalsOf } from './describe-security.js';
import { operationsOf, type Operation, type PlacedOperation } from './operations.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Response = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }> & {
  'x-error-codes'?: readonly ErrorCode[];
};
type ErrorCode = keyof typeof statusByCode;

/** The description of a status and the error codes of its responses. The example has the first code. */
export type Meaning = readonly [description: string, ...codes: readonly [ErrorCode, ...ErrorCode[]]];

/** The errors of a service in addition to the common ones. */
export interface ErrorRules {
  /** Meanings of statuses, which replace the default meanings. */
  readonly meanings: Readonly<Record<number, Meaning>>;
  /** Returns the statuses of an operation in addition to the common ones. */
  readonly statusesOf: (path: string, method: string, operation: Operation) => readonly number[];
  /** Returns the codes of a status of a method in addition to those of its meaning. */
  readonly codesOf?: (status: number, method: string) => readonly ErrorCode[];
}

const defaultMeanings: Readonly<Record<number, Meaning>> = {
  400: [
    'A parameter or the body is not valid, or a parameter is unknown. `more.fields` names each field and its problem.',
    'input.invalid',
    'input.not_json',
  ],
  403: ['The caller may not use this operation. `more.code` contains the reason.', 'access.denied'],
  404: ['The record does not exist, or the caller may not see it.', 'record.unknown'],
  413: ['The body is larger than the service accepts.', 'input.too_large'],
  415: [
    'The media type of the body is a patch format, multipart or XML. `more.allowed` lists the accepted types.',
    'input.media_type',
  ],
  429: [
    'The caller sent too many requests that were refused. `Retry-After` contains the seconds to wait.',
    'rate.limited',
  ],
  431: ['The address and the headers of the request take more than 16 KiB together.', 'input.headers_too_large'],
  500: ['The service failed. The log of the service has the reason under the request id.', 'server.fault'],
  503: [
    'A dependency of the service is unavailable. Nothing was changed. `Retry-After` contains the seconds to wait.',
    'dependency.down',
  ],
};

/** The schema of the body of every error. */
const envelope = {
  type: 'object',
  required: ['status', 'description', 'more'],
  properties: {
    status: { type: 'string', enum: ['Error'] },
    description: { type: 'string', description: 'The failure, its reason and a remedy, for a person.' },
    more: {
      type: 'object',
      required: ['code', 'request_id'],
      properties: {
        code: {
          type: 'string',
          enum: Object.keys(statusByCode),
          description: 'The error code, for a program. The meaning of a code never changes.',
        },
        request_id: { type: 'string', format: 'uuid', description: 'The id of the request in the log of the service.' },
        fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              field: { type: 'string' },
              problem: { type: 'string' },
              nearest: {
                type: 'string',
                description: 'The known parameter whose name is nearest to the unknown parameter.',
              },
            },
            additionalProperties: true,
          },
        },
      },
      additionalProperties: true,
    },
  },
};

/**
 * Adds to every operation its error responses, the common ones and those of the service, and describes the responses
 * without a description. The member `x-error-codes` of a response lists its error codes.
 */
export function describeResponses(document: OpenAPIObject, rules: ErrorRules): void {
  const { components = {} } = document;
  components.schemas = { ...components.schemas, Error: envelope as Schemas[string] };
  for (const placed of operationsOf(document)) {
    const { path, method, operation } = placed;
    const statuses = [...commonStatusesOf(placed), ...rules.statusesOf(path, method, operation)];
    for (const status of statuses) operation.responses[String(status)] ??= { description: '' };
    describe(placed, rules);
  }
}

function describe(placed: PlacedOperation, { meanings, codesOf = () => [] }: ErrorRules): void {
  const meaningOf = { ...defaultMeanings, ...meanings };
  for (const [status, response] of Object.entries(placed.operation.responses) as [string, Response][]) {
    const [description, ...usual] = meaningOf[Number(status)] ?? ['The request succeeded.'];
    response.description ||= description;
    const common = status === '403' ? refusalsOf(placed) : usual;
    const known = [...(response['x-error-codes'] ?? []), ...common];
    const applicable = known.filter((code) => code !== 'input.not_json' || takesJson(placed.operation));
    if (applicable.length === 0) continue;
    const codes = [...applicable, ...codesOf(Number(status), placed.method)];
    response['x-error-codes'] = codes;
    const more = { code: codes[0], request_id: '4c0e2f6e-5b0f-4a51-9a3c-2a6d1f1b7c11' };
    const example = { status: 'Error', description: response.description, more };
    response.content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } };
  }
}

function commonStatusesOf(placed: PlacedOperation): number[] {
  const { path, method, operation } = placed;
  return [
    ...[400, 429, 431, 500, 503],
    ...(refusalsOf(placed).length > 0 ? [403] : []),
    ...(path.includes('{') ? [404] : []),
    ...(method === 'get' ? [] : [413]),
    ...(takesJson(operation) ? [415] : []),
  ];
}

function takesJson({ requestBody }: Operation): boolean {
  return requestBody !== undefined && 'content' in requestBody && 'application/json' in requestBody.content;
}
