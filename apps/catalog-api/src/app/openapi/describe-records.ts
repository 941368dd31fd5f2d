import type { OpenAPIObject } from '@nestjs/swagger';
import type { JsonSchema } from '../../publishing/schemas/json-schema.js';
import { componentName, referenceTo } from '../../publishing/schemas/read-responses.decorator.js';
import { writtenRecord } from '../../publishing/writing/written-record.decorator.js';
import { recordSchemas } from '../../records/definitions/record-schemas.js';
import { changesSchema, inputSchema, readSchema } from './record-components.js';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;

/** The name and the texts of an operation that every kind of record has. `<record>` stands for the kind. */
interface OperationText {
  readonly verb: string;
  readonly summary: string;
  readonly description: string;
}

const page =
  'Without `limit`, the response contains all records. With `limit`, the header `Link` refers to the next page. If ' +
  '`If-None-Match` has the entity tag of an earlier response and no record changed, the response is 304.';

const texts: Readonly<Record<string, OperationText>> = {
  'get ': { verb: 'list', summary: 'List the <record>s that the caller may read', description: page },
  'post ': {
    verb: 'create',
    summary: 'Create a <record>',
    description: 'The header `Location` of the response contains the path of the <record>.',
  },
  'get /{id}': {
    verb: 'get',
    summary: 'Get a <record>',
    description: 'The header `ETag` identifies the version: send it in `If-Match` with a write.',
  },
  'put /{id}': {
    verb: 'replace',
    summary: 'Replace a <record>, or create it under the accession in the path',
    description: 'A member that the document does not contain gets its default value.',
  },
  'patch /{id}': {
    verb: 'update',
    summary: 'Change members of a <record>',
    description: 'A member that the document does not contain stays unchanged. A list is replaced as a whole.',
  },
  'delete /{id}': {
    verb: 'delete',
    summary: 'Delete a <record> to which no other record refers',
    description: 'If other records refer to the <record>, the response is 400 and names them.',
  },
  'post /{id}/publish': {
    verb: 'publish',
    summary: 'Publish a <record> to all callers',
    description: 'The first publication assigns the accession. Has no effect if the <record> is published.',
  },
  'post /{id}/unpublish': {
    verb: 'unpublish',
    summary: 'Hide a <record> from callers without a key',
    description: 'The <record> keeps its accession. Has no effect if the <record> is not published.',
  },
};

/**
 * Adds the schemas of the records, and describes the operations that all kinds of record share: their names, texts, tags
 * and schemas.
 */
export function describeRecords({ paths, components = {} }: OpenAPIObject): void {
  for (const [list, record] of Object.entries(recordSchemas)) {
    const name = componentName(record);
    const listed = paths[`/api/${list}`]?.get;
    components.schemas = {
      ...components.schemas,
      [name]: readSchema(record, { isSelectable: hasParameter(listed, 'fields') }),
      [`${name}Input`]: inputSchema(record),
      [`${name}Changes`]: changesSchema(record),
      [`${name}List`]: schemaOf(listed),
    };
    for (const path of Object.keys(paths)) {
      const [, api, first, second, ...rest] = path.split('/');
      if (api !== 'api') continue;
      if (first === 'admin' && second === list && ['', 'facets'].includes(rest.join('/'))) tag(paths[path], list);
      if (first !== list) continue;
      const item = paths[path] ?? {};
      for (const [method, operation] of Object.entries(item) as [string, Operation][]) {
        describeRecordOperation(operation, `${method} ${path.slice(`/api/${list}`.length)}`, { list, record });
      }
    }
  }
}

function describeRecordOperation(
  operation: Operation,
  place: string,
  { list, record }: { readonly list: string; readonly record: JsonSchema },
): void {
  const text = texts[place];
  if (!text) return;
  const name = componentName(record);
  const fill = (words: string): string => words.replaceAll('<record>', name.toLowerCase());
  operation.operationId = `${text.verb}${name}${text.verb === 'list' ? 's' : ''}`;
  operation.summary = fill(text.summary);
  operation.description = fill(text.description);
  operation.tags = [list];
  const responses = JSON.stringify(operation.responses).replaceAll(writtenRecord.$ref, referenceTo(record).$ref);
  operation.responses = JSON.parse(responses) as Operation['responses'];
  if (text.verb === 'list') replaceSchema(operation.responses['200'], `${name}List`);
  if (operation.requestBody)
    replaceSchema(operation.requestBody, `${name}${text.verb === 'update' ? 'Changes' : 'Input'}`);
}

function tag(item: PathItem | undefined, list: string): void {
  if (item?.get) item.get.tags = [list];
}

function hasParameter(operation: Operation | undefined, name: string): boolean {
  return operation?.parameters?.some((each) => 'name' in each && each.name === name) ?? false;
}

function contentOf(body: unknown): { schema?: object } {
  const { content = {} } = body as { content?: Record<string, { schema?: object }> };
  return content['application/json'] ?? {};
}

function schemaOf(operation: Operation | undefined): object {
  return contentOf(operation?.responses['200'] ?? {}).schema ?? {};
}

function replaceSchema(body: unknown, name: string): void {
  contentOf(body).schema = { $ref: `#/components/schemas/${name}` };
}
