import type { JsonSchema } from './json-schema.js';

/**
 * Returns a document in the form in which documents are compared and stored: absent members have their defaults, empty
 * optional texts are null, metadata is serialised, and read-only members are removed.
 *
 * @param document must be valid
 */
export function normalForm(schema: JsonSchema, document: unknown): unknown {
  if (document === undefined) return schema.default;
  if (Array.isArray(document)) return document.map((each) => normalForm(schema.items ?? {}, each));
  if (schema['contentMediaType'] === 'application/json') {
    return typeof document === 'string' ? document : JSON.stringify(document);
  }
  if (schema.properties && typeof document === 'object' && document !== null) {
    return membersOf(schema.properties, document as Readonly<Record<string, unknown>>);
  }
  return document === '' && isOptional(schema) ? null : document;
}

function membersOf(
  properties: Readonly<Record<string, JsonSchema>>,
  document: Readonly<Record<string, unknown>>,
): object {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, member]) => !member.readOnly)
      .map(([name, member]) => [name, normalForm(member, document[name])]),
  );
}

function isOptional({ type }: JsonSchema): boolean {
  return Array.isArray(type) && type.includes('null');
}
