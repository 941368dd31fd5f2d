import type { OpenAPIObject } from '@nestjs/swagger';

/**
 * Replaces inline schemas by references to named schemas, so that generated clients have one type for each.
 *
 * @param named the schemas by name. A schema can contain other schemas of this record
 */
export function nameSchemas(document: OpenAPIObject, named: Readonly<Record<string, object>>): void {
  const nameIn = <T>(value: T, except?: string): T =>
    JSON.parse(
      Object.entries(named)
        .filter(([name]) => name !== except)
        .reduce((text, [name, schema]) => {
          const reference = JSON.stringify({ $ref: `#/components/schemas/${name}` });
          return text.replaceAll(JSON.stringify(schema), reference);
        }, JSON.stringify(value)),
    ) as T;
  document.paths = nameIn(document.paths);
  document.components ??= {};
  const components = Object.entries(named).map(([name, schema]) => [name, nameIn(schema, name)] as const);
  document.components.schemas = { ...document.components.schemas, ...Object.fromEntries(components) };
}
