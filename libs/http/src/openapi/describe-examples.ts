import type { OpenAPIObject } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** The parts of a schema from which an example is created. */
interface Schema {
  readonly $ref?: string;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Content {
  readonly schema?: Schema;
  example?: unknown;
}

/** The sources of examples. */
interface Known {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly named: Readonly<Record<string, unknown>>;
}

const texts: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T08:00:00.000Z',
  uuid: '6f0e37a3-9d7e-4f2a-8f35-0c7f0c0b2f11',
  email: 'ada@example.org',
  uri: 'https://catalog.example.org',
};

/**
 * Adds an example to every request body and response body that has none.
 *
 * @param named examples of members by name, for members without an example of their own; a member whose example is
 *   undefined is left out
 */
export function describeExamples(
  { paths, components = {} }: OpenAPIObject,
  named: Readonly<Record<string, unknown>>,
): void {
  const schemas = (components.schemas ?? {}) as Readonly<Record<string, Schema>>;
  for (const item of Object.values(paths)) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      for (const content of item[method] ? contentsOf(item[method]) : []) {
        if (content.schema) content.example ??= exampleOf(content.schema, { schemas, named });
      }
    }
  }
}

function contentsOf({ requestBody, responses }: Operation): Content[] {
  const bodies = [requestBody, ...Object.values(responses)] as ({ content?: Record<string, Content> } | undefined)[];
  return bodies.flatMap((body) => Object.values(body?.content ?? {}));
}

function hasOwnExample({ example, examples, const: only }: Schema): boolean {
  return [example, examples, only].some((value) => value !== undefined);
}

function exampleOf(schema: Schema, known: Known): unknown {
  const { schemas, named } = known;
  if (schema.$ref !== undefined) return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, known);
  const candidates = [schema.example, schema.examples?.[0], schema.const, schema.default, schema.enum?.[0]];
  const given = candidates.find((value) => value !== undefined);
  if (given !== undefined) return given;
  const chosen = schema.oneOf?.[0] ?? schema.anyOf?.[0] ?? schema.allOf?.[0];
  if (chosen) return exampleOf(chosen, known);
  const inner = (each: Schema): unknown => exampleOf(each, known);
  switch ([schema.type ?? ''].flat()[0] ?? '') {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .map(([name, each]) => [name, name in named && !hasOwnExample(each) ? named[name] : inner(each)])
          .filter(([, value]) => value !== undefined),
      );
    case 'array':
      return schema.items ? [inner(schema.items)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return texts[schema.format ?? ''] ?? 'text'.padEnd(schema.minLength ?? 0, '.');
    default:
      return null;
  }
}
