import type { OpenAPIObject } from '@nestjs/swagger';
import { listNames } from '../../publishing/documents/list-names.js';
import type { JsonSchema } from '../../publishing/schemas/json-schema.js';
import { referenceTo, taggedHeaders } from '../../publishing/schemas/read-responses.decorator.js';
import { recordSchemas } from '../../records/definitions/record-schemas.js';

type Components = NonNullable<OpenAPIObject['components']>;
type PathItem = OpenAPIObject['paths'][string];
type Schema = NonNullable<Components['schemas']>[string];

/** The header that protects a write from overwriting changes that the client has not seen. */
export const ifMatch = {
  in: 'header' as const,
  name: 'If-Match',
  required: false,
  description: 'The write is refused unless the record has one of these entity tags.',
  schema: { type: 'string' as const },
};

const location = { Location: { schema: { type: 'string' }, description: 'The path of the record.' } };

/**
 * Adds the schemas of records, and the bodies and responses of writes. Five controllers inherit the handlers of writes,
 * so that decorators of these handlers cannot name the schema of one kind of record.
 */
export function describeRecords({ paths, components = {} }: OpenAPIObject): void {
  components.schemas = { ...components.schemas };
  for (const list of listNames) {
    const record = recordSchemas[list];
    components.schemas[String(record['title'])] = record as Schema;
    describeCreation(paths[`/api/${list}`], record);
    describeChanges(paths[`/api/${list}/{id}`], record);
    for (const action of ['publish', 'unpublish']) {
      const operation = paths[`/api/${list}/{id}/${action}`]?.post;
      operation?.parameters?.push(ifMatch);
      if (operation) operation.responses = { '200': written('The current record.', record) };
    }
  }
}

function describeCreation(item: PathItem | undefined, record: JsonSchema): void {
  if (!item?.post) return;
  item.post.requestBody = bodyOf(referenceTo(record));
  item.post.responses = { '201': written('The record was created.', record, location) };
}

function describeChanges(item: PathItem | undefined, record: JsonSchema): void {
  const current = written('The current record.', record);
  if (item?.put) {
    item.put.requestBody = bodyOf(referenceTo(record));
    item.put.responses = { '200': current, '201': written('The record was created.', record) };
  }
  if (item?.patch) {
    item.patch.requestBody = bodyOf({ type: 'object' });
    item.patch.responses = { '200': current };
  }
  if (item?.delete) item.delete.responses = { '204': { description: 'The record was removed.' } };
  for (const operation of [item?.put, item?.patch, item?.delete]) operation?.parameters?.push(ifMatch);
}

function bodyOf(schema: object) {
  return { required: true, content: { 'application/json': { schema } } };
}

function written(description: string, record: JsonSchema, headers: object = {}) {
  const content = { 'application/json': { schema: referenceTo(record) } };
  return { description, headers: { ...taggedHeaders, ...headers }, content };
}
