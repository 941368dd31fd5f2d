import { readFileSync } from 'node:fs';
import { globalKey } from './catalog.js';
import { isForSessionsOnly, sessionHeaders } from './session-caller.js';
import { sampleRecords, startWritableCatalog, type WritableCatalog } from './writing.js';

interface Schema {
  readonly $ref?: string;
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema; readonly example: unknown }> };
  readonly responses: Readonly<Record<string, unknown>>;
  /** The ways to identify the caller; by default the global key. */
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** A call with one invalid part. */
interface Case {
  readonly what: string;
  readonly query?: string;
  readonly path?: string;
  readonly body?: string;
  /** The valid statuses; by default, every documented status below 500. */
  readonly statuses?: readonly number[];
}

const description = JSON.parse(
  readFileSync(new URL('../../../docs/openapi/catalog-api.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const bodyLimit = 65_536;

/** Texts that careless code handles wrongly, such as an empty text, SQL and markup. */
const texts: Readonly<Record<string, string>> = {
  'nothing in it': '',
  'another case': 'TrUe',
  'another type': '-1.5e3',
  unicode: 'Ünïcødé 💥 \u202e',
  SQL: `'; DROP TABLE users; --`,
  HTML: '<script>alert(1)</script>',
  pattern: '%_\\',
  'too much': 'x'.repeat(11_000),
};

const values: Readonly<Record<string, unknown>> = { ...texts, null: null, number: 7, true: true, list: [], object: {} };

/** Valid values of path parameters, for cases whose invalid part is not the path. */
const placed: Readonly<Record<string, string>> = { category: 'gene', resource: 'projects' };

const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).map(
    ([method, operation]) => [`${method.toUpperCase()} ${path}`, method, path, operation] as const,
  ),
);

describe('bad input', () => {
  let catalog: WritableCatalog;

  beforeAll(async () => {
    catalog = await startWritableCatalog({
      ...{ BODY_LIMIT: String(bodyLimit), RATE_LIMIT_FAILED_LOGINS: '0' },
      ...{ ACCESSREQ_INTEGRATION_ENABLED: 'true', ACCESSREQ_ALLOWED_IP_ADDRESSES: '*' },
    });
    await catalog.fill(sampleRecords);
  });

  afterAll(() => catalog.stop());

  it.each(operations)('should cause an error with its reason at %s', async (_, method, path, operation) => {
    const wrong: string[] = [];
    const caller = await callerOf(operation);
    for (const each of casesOf(path, operation)) {
      const address = (each.path ?? filled(path)) + (each.query ?? '');
      const response = await catalog.fetch(address, {
        method: method.toUpperCase(),
        ...caller,
        redirect: 'manual',
        ...(each.body !== undefined && { body: each.body }),
      });
      const complaint = complaintOf(response.status, await response.text(), each, operation);
      if (complaint !== undefined) wrong.push(`${each.what}: ${complaint}`);
    }
    expect(wrong).toEqual([]);
  });

  /** The credentials of a request: a session for operations that no key may call, else the global key. */
  async function callerOf(operation: Operation): Promise<object> {
    return isForSessionsOnly(operation) ? { headers: await sessionHeaders(catalog) } : { key: globalKey };
  }
});

function filled(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => placed[name] ?? '1');
}

function casesOf(path: string, operation: Operation): Case[] {
  const parameters = operation.parameters ?? [];
  const queried = parameters.filter((parameter) => parameter.in === 'query');
  const rest = (name: string): string =>
    queried
      .filter((parameter) => parameter.required && parameter.name !== name)
      .map((parameter) => `&${parameter.name}=1`)
      .join('');
  const inQuery = queried.flatMap(({ name, required }): Case[] => [
    ...Object.entries(texts).map(([word, text]) => ({
      what: `${name} with ${word}`,
      query: `?${name}=${encodeURIComponent(text)}${rest(name)}`,
      ...(word === 'too much' && { statuses: [400] }),
    })),
    { what: `${name} twice`, query: `?${name}=1&${name}=1${rest(name)}`, statuses: [400] },
    { what: `${name} with NUL`, query: `?${name}=%00${rest(name)}`, statuses: [400] },
    ...(required ? [{ what: `no ${name}`, query: `?${rest(name).slice(1)}`, statuses: [400] }] : []),
  ]);
  const inPath = parameters
    .filter((parameter) => parameter.in === 'path')
    .flatMap(({ name }): Case[] =>
      Object.entries({ ...texts, NUL: '\0', 'too great a number': '99999999999', 'too much': 'x'.repeat(600) })
        .filter(([, text]) => text !== '')
        .map(([word, text]) => ({
          what: `${name} with ${word}`,
          path: filled(path.replace(`{${name}}`, encodeURIComponent(text))),
        })),
    );
  return [...inQuery, ...inPath, ...bodyCases(operation)];
}

function bodyCases({ requestBody }: Operation): Case[] {
  const json = requestBody?.content['application/json'];
  if (!requestBody) return [];
  const large = [{ what: 'too large a body', body: 'x'.repeat(bodyLimit + 1), statuses: [413] }];
  if (!json) return large;
  const example = json.example as object;
  const whole = (body: unknown): unknown => (Array.isArray(example) ? [body] : body);
  const base = (Array.isArray(example) ? example[0] : example) as object;
  const inBody = Object.keys(membersOf(json.schema)).flatMap((name) => [
    ...Object.entries(values).map(([word, value]) => ({
      what: `${name} with ${word}`,
      body: JSON.stringify(whole({ ...base, [name]: value })),
    })),
    { what: `no ${name}`, body: JSON.stringify(whole({ ...base, [name]: undefined })) },
  ]);
  const notJson = ['{"', '\u00fe', '[1', 'null', '"text"', '7'].map((body) => ({ what: body, body, statuses: [400] }));
  return [...large, ...notJson, ...inBody];
}

function membersOf(schema: Schema): Readonly<Record<string, Schema>> {
  if (schema.$ref !== undefined)
    return membersOf(description.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (schema.oneOf?.[0]) return membersOf(schema.oneOf[0]);
  return schema.properties ?? (schema.items ? membersOf(schema.items) : {});
}

/** Returns the deviation of a response from the contract; undefined if there is none. */
function complaintOf(status: number, text: string, { statuses }: Case, { responses }: Operation): string | undefined {
  if (statuses && !statuses.includes(status)) return `${String(status)} instead of ${statuses.join(' or ')}`;
  if (status >= 500) return `${String(status)} ${text}`;
  if (!(String(status) in responses)) return `${String(status)} is not described`;
  if (status < 400) return undefined;
  const { status: word, description: sentence, more } = JSON.parse(text) as Record<string, unknown>;
  const { code, fields } = (more ?? {}) as { code?: string; fields?: { problem?: string }[] };
  const isComplete =
    word === 'Error' && typeof sentence === 'string' && sentence.length > 10 && typeof code === 'string';
  if (!isComplete) return `no envelope: ${text}`;
  if (/node_modules|SELECT |INSERT |pg_|\bat \w+ \(/.test(text)) return `internals are disclosed: ${text}`;
  return fields?.some(({ problem }) => !problem) ? `a field without a reason: ${text}` : undefined;
}
