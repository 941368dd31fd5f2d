import { applyDecorators, type Type } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';
import type { ListName } from '../documents/list-names.js';
import type { JsonSchema } from './json-schema.js';
import { listSchema } from './published-schemas.js';
import { schemaUrls } from './schema-urls.js';

const text = { schema: { type: 'string' } } as const;

/** The headers of a response that has an entity tag. */
export const taggedHeaders = {
  ETag: { ...text, description: 'Entity tag for `If-None-Match` and `If-Match`.' },
  'Cache-Control': text,
} satisfies ResponseHeaders;

const privateHeaders = { ...taggedHeaders, Vary: text };
const listHeaders = {
  ...privateHeaders,
  Link: { ...text, description: 'With `limit`: `rel="next"` is the address of the next page.' },
};

type Content = Record<string, { schema: object }>;
type ResponseHeaders = Record<string, { schema: { type: 'string' }; description?: string }>;

/** Options of a response that contains records. */
interface RecordOptions {
  /** The schema of the response as JSON-LD, if the response has that form. */
  readonly linked?: object;
}

/** Documents a response that the server leaves out if the client has it already. */
function ApiConditionalRead(
  response: ApiResponseOptions,
  ifUnchanged: ResponseHeaders = taggedHeaders,
): MethodDecorator {
  return applyDecorators(
    ApiHeader({ name: 'If-None-Match', required: false, description: 'Entity tags of responses that the client has.' }),
    ApiOkResponse(response),
    ApiResponse({ status: 304, description: 'The client has the current response already.', headers: ifUnchanged }),
  );
}

/** Documents a GET whose response has an entity tag and is no stored document. */
export function ApiTaggedResponse(type: Type | [Type], example?: unknown): MethodDecorator {
  return ApiConditionalRead({ description: 'The request succeeded.', headers: taggedHeaders, type, example });
}

/** Documents a list that has pages and whose items are no records. */
export function ApiPagedResponse(type: Type): MethodDecorator {
  return ApiConditionalRead({ description: 'The request succeeded.', headers: listHeaders, type });
}

/** Documents the list of a kind of record. */
export function ApiListResponse(list: ListName, record: JsonSchema, { linked }: RecordOptions = {}): MethodDecorator {
  const schema = listResponseSchema(list, record);
  const description = 'The records that the caller sees.';
  return ApiConditionalRead({ description, headers: listHeaders, content: contentOf(schema, linked) });
}

/** Documents one record. */
export function ApiRecordResponse(record: JsonSchema, { linked }: RecordOptions = {}): MethodDecorator {
  const content = contentOf(referenceTo(record), linked);
  return ApiConditionalRead({ description: 'The record.', headers: privateHeaders, content });
}

/** Documents a public response that has the form of linked data. @param hasPage whether it is also a page for people */
export function ApiLinkedResponse(schema: object, { hasPage = false } = {}): MethodDecorator {
  const headers = {
    ETag: { ...text, description: 'Entity tag for `If-None-Match`.' },
    'Cache-Control': text,
    Vary: text,
    'Last-Modified': { ...text, description: 'The time of the last change that the public sees.' },
  };
  const description = 'The published records. No key is required.';
  const content = {
    [linkedDataType]: { schema },
    'text/turtle': text,
    'application/rdf+xml': text,
    ...(hasPage && { 'text/html': text }),
  };
  return ApiConditionalRead({ description, headers, content }, { ...headers });
}

/** The media type of JSON-LD. */
export const linkedDataType = 'application/ld+json';

/** Returns the name of the schema of a record among the components of the document. */
export function componentName({ title }: JsonSchema): string {
  const name = String(title);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Returns a reference to the schema of a record among the components of the document. */
export function referenceTo(record: JsonSchema): { $ref: string } {
  return { $ref: `#/components/schemas/${componentName(record)}` };
}

function contentOf(schema: object, linked?: object): Content {
  return { 'application/json': { schema }, ...(linked && { [linkedDataType]: { schema: linked } }) };
}

function listResponseSchema(list: ListName, record: JsonSchema): object {
  const { properties = {} } = listSchema(list, record);
  const { $schema: schemaAddress, ...lists } = properties;
  const envelope = Object.keys(lists).map((name) => [name, { type: 'array', items: referenceTo(record) }]);
  const example = (schemaUrls as Partial<Record<ListName, string>>)[list];
  const address = example === undefined ? {} : { $schema: { ...schemaAddress, example } };
  const all = { ...address, ...Object.fromEntries(envelope) } as Record<string, object>;
  return { type: 'object', properties: all, required: Object.keys(lists) };
}
