import type { JsonSchema } from '../../publishing/schemas/json-schema.js';
import { componentName } from '../../publishing/schemas/read-responses.decorator.js';

/** Returns the component for reading a record. If the caller can select the members, no member is required. */
export function readSchema(record: JsonSchema, { isSelectable }: { readonly isSelectable: boolean }): JsonSchema {
  return component(isSelectable ? { ...record, required: [] } : record, componentName(record));
}

/** Returns the component for writing a record, without the members that only the catalog sets. */
export function inputSchema(record: JsonSchema): JsonSchema {
  return component(writable(record), `${componentName(record)}Input`);
}

/** Returns the component for changing members of a record. No member is required or has a default. */
export function changesSchema(record: JsonSchema): JsonSchema {
  const schema = writable(record);
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [name, without(member, 'default')]);
  const properties = Object.fromEntries(members) as NonNullable<JsonSchema['properties']>;
  return component({ ...schema, required: [], properties }, `${componentName(record)}Changes`);
}

/** Returns a schema under another title. A component has no identifier, because it is a part of the document. */
function component(schema: JsonSchema, title: string): JsonSchema {
  const { required } = schema;
  const isDemanding = Array.isArray(required) && required.length > 0;
  return { ...without(schema, '$schema', '$id', 'required'), title, ...(isDemanding && { required }) };
}

/** Returns a schema without some of its keywords. */
function without(schema: JsonSchema, ...keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));
}

/** Returns a schema without read-only members, at any depth. */
function writable(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema;
  const members = Object.entries(properties ?? {}).filter(([, { readOnly }]) => readOnly !== true);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(members.map(([name, each]) => [name, writable(each)])) }),
    ...(items && { items: writable(items) }),
  };
}
