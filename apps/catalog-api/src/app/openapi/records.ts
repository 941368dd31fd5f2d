import type { OpenAPIObject } from '@nestjs/swagger';
import { listNames, type ListName } from '../../publishing/documents/list-names.js';
import { PublishedSchemas } from '../../publishing/schemas/published-schemas.js';
import { recordSchemas } from '../../records/definitions/record-schemas.js';
import { schemaUrls } from '../../publishing/schemas/schema-urls.js';

type Components = NonNullable<OpenAPIObject['components']>;
type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;
type Schema = NonNullable<Components['schemas']>[string];

const publishedSchemas = new PublishedSchemas(recordSchemas);

/** Lists of which a caller may choose the members of the items. */
const withFields: readonly ListName[] = ['projects', 'partners'];

const text = { schema: { type: 'string' } } as const;
const tagged = {
  ETag: { ...text, description: 'Send it back in `If-None-Match` or `If-Match`.' },
  'Cache-Control': text,
};

/** Guards a write against edits that the caller has not seen. */
export const ifMatch = header('If-Match', 'Only when the record still has one of these tags.');

const read = {
  ...tagged,
  Vary: text,
};

/** Describes what is read and written of the five kinds of record: their published schemas are the one source. */
export function describeRecords({ paths, components = {} }: OpenAPIObject): void {
  components.schemas = { ...components.schemas };
  for (const list of listNames) {
    const record = recordSchemas[list];
    const name = String(record['title']);
    components.schemas[name] = record as Schema;
    const reference = { $ref: `#/components/schemas/${name}` };
    describeList(paths[`/api/${list}`], list, reference);
    describeRecord(paths[`/api/${list}/{id}`], reference);
    for (const action of ['publish', 'unpublish']) {
      const operation = paths[`/api/${list}/{id}/${action}`]?.post;
      if (!operation) continue;
      operation.parameters?.push(ifMatch);
      operation.responses = { '200': answer('The record as it is now.', reference, tagged) };
    }
  }
}

function describeList(item: PathItem | undefined, list: ListName, record: { $ref: string }): void {
  if (item?.get) {
    const link = { Link: { ...text, description: 'With `limit`: `rel="next"` names the next page.' } };
    conditional(item.get, answer('What the caller sees.', listSchema(list, record), { ...read, ...link }));
  }
  if (item?.post) {
    item.post.requestBody = bodyOf(record);
    const location = { Location: { ...text, description: 'Where the record is.' } };
    item.post.responses = { '201': answer('The record was made.', record, { ...tagged, ...location }) };
  }
}

function describeRecord(item: PathItem | undefined, record: { $ref: string }): void {
  const written = answer('The record as it is now.', record, tagged);
  if (item?.get) conditional(item.get, answer('The record.', record, read));
  if (item?.put) {
    item.put.requestBody = bodyOf(record);
    item.put.responses = { '200': written, '201': answer('The record was made.', record, tagged) };
  }
  if (item?.patch) {
    item.patch.requestBody = bodyOf({ type: 'object' });
    item.patch.responses = { '200': written };
  }
  if (item?.delete) item.delete.responses = { '204': { description: 'The record is gone.' } };
  for (const operation of [item?.put, item?.patch, item?.delete]) {
    operation?.parameters?.push(ifMatch);
  }
}

/** With `fields` an item has the named members only, so none is required there. */
function listSchema(list: ListName, record: { $ref: string }): Schema {
  const { properties = {} } = publishedSchemas.find(`${list}.json`) ?? {};
  const { type, properties: members } = recordSchemas[list];
  const items = withFields.includes(list) ? { type, properties: members, additionalProperties: false } : record;
  const { $schema: itsAddress, ...lists } = properties;
  const envelope = Object.keys(lists).map((name) => [name, { type: 'array', items }]);
  const example = (schemaUrls as Partial<Record<ListName, string>>)[list];
  const address = example === undefined ? {} : { $schema: { ...itsAddress, example } };
  const all = { ...address, ...Object.fromEntries(envelope) } as Record<string, Schema>;
  return { type: 'object', properties: all, required: Object.keys(lists) };
}

/** Says of an operation that a caller who has its answer already is told so. */
export function conditional(operation: Operation, found: Answer): void {
  operation.parameters?.push(header('If-None-Match', 'Tags of answers the caller has.'));
  operation.responses = { '200': found, '304': { description: 'The caller has it already.', headers: tagged } };
}

function header(name: string, description: string) {
  return { in: 'header' as const, name, required: false, description, schema: { type: 'string' as const } };
}

function bodyOf(schema: object) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** An answer in JSON. */
export type Answer = ReturnType<typeof answer>;

function answer(description: string, schema: object, headers: object) {
  return { description, headers: { ...headers }, content: { 'application/json': { schema } } };
}
