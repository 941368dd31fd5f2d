import type { OpenAPIObject } from '@nestjs/swagger';
import { statusByCode } from '@rdc/errors';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Response = Exclude<NonNullable<Operation['responses'][string]>, { $ref: string }>;

/** An operation of an OpenAPI description. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** The description of a status and the error code of its example. */
export type Meaning = readonly [description: string, code: keyof typeof statusByCode];

/** The errors of a service in addition to the common ones. */
export interface ErrorRules {
  /** Meanings of statuses, which replace the default meanings. */
  readonly meanings: Readonly<Record<number, Meaning>>;
  /** Returns the statuses of an operation in addition to the common ones. */
  readonly statusesOf: (path: string, method: string, operation: Operation) => readonly number[];
}

const defaultMeanings: Readonly<Record<number, Meaning>> = {
  400: [
    'A parameter or the body is not valid, or a parameter is unknown. `more.fields` names each field and its problem.',
    'input.invalid',
  ],
  403: ['The caller may not use this operation: the key is missing, unknown or not permitted.', 'access.denied'],
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
 * without a description.
 */
export function describeResponses({ paths, components = {} }: OpenAPIObject, rules: ErrorRules): void {
  components.schemas = { ...components.schemas, Error: envelope as Schemas[string] };
  for (const [path, item] of Object.entries(paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = item[method];
      if (!operation) continue;
      const statuses = [...commonStatusesOf(path, method, operation), ...rules.statusesOf(path, method, operation)];
      for (const status of statuses) operation.responses[String(status)] ??= { description: '' };
      describe(operation, { ...defaultMeanings, ...rules.meanings });
    }
  }
}

function describe({ responses }: Operation, meaningOf: Readonly<Record<number, Meaning>>): void {
  for (const [status, response] of Object.entries(responses) as [string, Response][]) {
    const [description, code] = meaningOf[Number(status)] ?? ['The request succeeded.', undefined];
    response.description ||= description;
    if (code === undefined) continue;
    const more = { code, request_id: '4c0e2f6e-5b0f-4a51-9a3c-2a6d1f1b7c11' };
    const example = { status: 'Error', description, more };
    response.content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } };
  }
}

function commonStatusesOf(path: string, method: string, operation: Operation): number[] {
  return [
    ...[400, 403, 429, 500, 503],
    ...(path.includes('{') ? [404] : []),
    ...(method === 'get' ? [] : [413]),
    ...(takesJson(operation) ? [415] : []),
  ];
}

function takesJson({ requestBody }: Operation): boolean {
  return requestBody !== undefined && 'content' in requestBody && 'application/json' in requestBody.content;
}
