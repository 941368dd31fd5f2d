import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, type Operation } from './operations.js';

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
  readonly readOnly?: boolean;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
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
  /** Whether the example is a request body, which has no members that only the service sets. */
  readonly isRequest: boolean;
}

const texts: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T08:00:00.000Z',
  uuid: '6f0e37a3-9d7e-4f2a-8f35-0c7f0c0b2f11',
  email: 'ada@example.org',
  uri: 'https://catalog.example.org',
};

/** The examples that a service provides. */
export interface ExampleSources {
  /** Request bodies by `operationId`. Each is harmless if it is sent. */
  readonly requests: Readonly<Record<string, unknown>>;
  /**
   * Examples of members by name, for members without an example of their own. A member whose example is undefined is
   * left out, unless its schema requires it.
   */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Adds an example to every request body and response body that has none. */
export function describeExamples(document: OpenAPIObject, { requests, members }: ExampleSources): void {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  for (const { operation } of operationsOf(document)) {
    const { requestBody, responses, operationId = '' } = operation;
    for (const content of contentsOf([requestBody])) {
      content.example ??=
        requests[operationId] ?? exampleOf(content.schema ?? {}, { schemas, named: members, isRequest: true });
    }
    for (const content of contentsOf(Object.values(responses))) {
      content.example ??= exampleOf(content.schema ?? {}, { schemas, named: members, isRequest: false });
    }
  }
}

function contentsOf(bodies: readonly (Operation['requestBody'] | Operation['responses'][string])[]): Content[] {
  return (bodies as ({ content?: Record<string, Content> } | undefined)[])
    .flatMap((body) => Object.values(body?.content ?? {}))
    .filter(({ schema }) => schema !== undefined);
}

function hasOwnExample({ example, examples, const: only }: Schema): boolean {
  return [example, examples, only].some((value) => value !== undefined);
}

function exampleOf(schema: Schema, known: Known): unknown {
  const { schemas } = known;
  if (schema.$ref !== undefined) return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, known);
  const candidates = [schema.example, schema.examples?.[0], schema.const, schema.default, schema.enum?.[0]];
  const given = candidates.find((value) => value !== undefined);
  if (given !== undefined) return given;
  const chosen = schema.oneOf?.[0] ?? schema.anyOf?.[0] ?? schema.allOf?.[0];
  if (chosen) return exampleOf(chosen, known);
  const inner = (each: Schema): unknown => exampleOf(each, known);
  switch ([schema.type ?? ''].flat()[0] ?? '') {
    case 'object':
      return exampleOfObject(schema, known);
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

function exampleOfObject({ properties = {}, required = [] }: Schema, known: Known): unknown {
  const { named, isRequest } = known;
  const isNamed = (name: string): boolean => name in named && (named[name] !== undefined || !required.includes(name));
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([, { readOnly }]) => !(isRequest && readOnly === true))
      .map(([name, each]) => [name, isNamed(name) && !hasOwnExample(each) ? named[name] : exampleOf(each, known)])
      .filter(([, value]) => value !== undefined),
  );
}
