import type { OpenAPIObject } from '@nestjs/swagger';
import { statusByCode } from '@rdc/errors';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
/** What the description says of a method at an address. */
export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** What a status means, and the code of its example. */
export type Meaning = readonly [description: string, code: keyof typeof statusByCode];

/** What each status means where a service has no words of its own for it. */
const meanings: Readonly<Record<number, Meaning>> = {
  400: [
    'A parameter or the body is wrong, or a parameter is unknown; `more.fields` names each place and reason.',
    'input.invalid',
  ],
  403: ['The caller may not do this: no key, an unknown one, or one that is not for it.', 'access.denied'],
  404: ['There is no such record, or the caller does not see it.', 'record.unknown'],
  413: ['The body is larger than the service takes.', 'input.too_large'],
  415: [
    'The body is a patch, has parts or is XML by its type; `more.allowed` names the types to send.',
    'input.media_type',
  ],
  429: ['Too many requests that were refused; `Retry-After` says how long to wait.', 'rate.limited'],
  500: ['A fault of ours; the log holds it under the request id.', 'server.fault'],
  503: [
    'A service this one needs is down; nothing was changed. `Retry-After` says how long to wait.',
    'dependency.down',
  ],
};

/** The body of every error. */
const envelope = {
  type: 'object',
  required: ['status', 'description', 'more'],
  properties: {
    status: { type: 'string', enum: ['Error'] },
    description: { type: 'string', description: 'For a person: what is wrong, and what to do about it.' },
    more: {
      type: 'object',
      required: ['code', 'request_id'],
      properties: {
        code: { type: 'string', enum: Object.keys(statusByCode), description: 'For a program; never changes.' },
        request_id: { type: 'string', format: 'uuid', description: 'Under which the log holds the request.' },
        fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              field: { type: 'string' },
              problem: { type: 'string' },
              nearest: {
                type: 'string',
                description: 'The known parameter that an unknown one is probably meant to be.',
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
 * Adds to every operation the errors it can answer with, all in the one envelope: those that any can, and the service's.
 *
 * @param ownOf which statuses an operation of the service can answer with besides
 * @param own what these mean there
 */
export function describeErrors(
  { paths, components = {} }: OpenAPIObject,
  ownOf: (path: string, method: string, operation: Operation) => readonly number[],
  own: Readonly<Record<number, Meaning>>,
): void {
  components.schemas = { ...components.schemas, Error: envelope as Schemas[string] };
  for (const [path, item] of Object.entries(paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = item[method];
      if (!operation) continue;
      const statuses = [...statusesOf(path, method, operation), ...ownOf(path, method, operation)];
      describe(operation, statuses, { ...meanings, ...own });
    }
  }
}

function describe(
  operation: Operation,
  statuses: readonly number[],
  meaningOf: Readonly<Record<number, Meaning>>,
): void {
  const declared = Object.keys(operation.responses).map(Number);
  for (const status of new Set([...declared.filter((one) => one >= 400), ...statuses])) {
    const [description, code] = meaningOf[status] ?? ['', 'server.fault'];
    const own = operation.responses[String(status)] as { description?: string } | undefined;
    const example = {
      status: 'Error',
      description,
      more: { code, request_id: '4c0e2f6e-5b0f-4a51-9a3c-2a6d1f1b7c11' },
    };
    operation.responses[String(status)] = {
      description: own?.description || description,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
    };
  }
}

function statusesOf(path: string, method: string, operation: Operation): number[] {
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
