import { dcatAp } from './context.js';

const text = { type: 'string' } as const;
const context = {
  type: 'object',
  description: 'The complete context: the base of all identifiers, prefixes and types.',
};

/** The OpenAPI schema of one record as JSON-LD. */
export const nodeSchema = {
  type: 'object',
  required: ['@id', '@type'],
  properties: { '@context': context, '@id': text, '@type': { type: 'array', items: text } },
  additionalProperties: true,
} as const;

/** The OpenAPI schema of a list as JSON-LD. */
export const graphSchema = {
  type: 'object',
  required: ['@context', '@graph'],
  properties: { '@context': context, '@graph': { type: 'array', items: nodeSchema } },
} as const;

const catalog = {
  ...node,
  description: `A catalog by ${dcatAp}. If the request contains \`limit\`, \`hydra:view\` contains the addresses of this page and the next.`,
  required: [...node.required, '@context', 'dcat:dataset'],
  properties: {
    ...nodeSchema.properties,
    'dcat:dataset': { type: 'array', items: nodeSchema },
    'hydra:view': { type: 'object', additionalProperties: true },
  },
} as const;

const headers = {
  ETag: { schema: text, description: 'The tag of the response, for `If-None-Match` of the next request.' },
  'Cache-Control': { schema: text },
};

/** The schemas of responses in JSON-LD, by path. If a path also returns JSON, `Accept` decides. */
const forms: Readonly<Record<string, object>> = {
  '/api/dcat': catalog,
  '/api/dcat/datasets/{id}': node,
  '/api/dcat/projects/{id}': node,
  '/api/datasets': graph,
  '/api/datasets/{id}': node,
  '/api/projects': graph,
  '/api/projects/{id}': node,
};

/** Adds the responses in JSON-LD to the OpenAPI document. */
export function describeLinkedData({ paths }: OpenAPIObject): void {
  for (const [path, schema] of Object.entries(forms)) {
    const operation = paths[path]?.get;
    if (!operation) throw new Error(`The OpenAPI document does not contain GET ${path}.`);
    if (path.startsWith('/api/dcat')) {
      operation.security = [{}];
      operation.parameters?.push({
        ...{ in: 'header', name: 'If-None-Match', required: false, schema: text },
        description: 'The tags of responses that the caller has stored.',
      });
      operation.responses = {
        '200': { description: 'The public records.', headers: { ...headers } },
        '304': { description: 'The response has not changed since the tag in `If-None-Match`.', headers },
      };
    }
    const found = operation.responses['200'] as { content?: Record<string, object> };
    found.content = { ...found.content, [linkedDataType]: { schema } };
  }
}
