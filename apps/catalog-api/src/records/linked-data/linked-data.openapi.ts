import type { OpenAPIObject } from '@nestjs/swagger';
import { dcatAp } from './context.js';
import { linkedDataType } from './linked-data.js';

const text = { type: 'string' } as const;
const context = { type: 'object', description: 'The base of all identifiers, prefixes and types; nothing is fetched.' };

const node = {
  type: 'object',
  required: ['@id', '@type'],
  properties: { '@context': context, '@id': text, '@type': { type: 'array', items: text } },
  additionalProperties: true,
} as const;

const graph = {
  type: 'object',
  required: ['@context', '@graph'],
  properties: { '@context': context, '@graph': { type: 'array', items: node } },
} as const;

const catalog = {
  ...node,
  description: `A catalog by ${dcatAp}; with \`limit\`, \`hydra:view\` names this page and the next.`,
  required: [...node.required, '@context', 'dcat:dataset'],
  properties: {
    ...node.properties,
    'dcat:dataset': { type: 'array', items: node },
    'hydra:view': { type: 'object', additionalProperties: true },
  },
} as const;

const headers = {
  ETag: { schema: text, description: 'Send it back in `If-None-Match`.' },
  'Cache-Control': { schema: text },
};

/** What is answered as linked data, by address; where there is JSON too, `Accept` decides. */
const forms: Readonly<Record<string, object>> = {
  '/api/dcat': catalog,
  '/api/dcat/datasets/{id}': node,
  '/api/dcat/projects/{id}': node,
  '/api/datasets': graph,
  '/api/datasets/{id}': node,
  '/api/projects': graph,
  '/api/projects/{id}': node,
};

/** Adds the answers in JSON-LD, beside those in JSON where there are any. */
export function describeLinkedData({ paths }: OpenAPIObject): void {
  for (const [path, schema] of Object.entries(forms)) {
    const operation = paths[path]?.get;
    if (!operation) throw new Error(`There is no ${path} to describe.`);
    if (path.startsWith('/api/dcat')) {
      operation.security = [{}];
      operation.parameters?.push({
        ...{ in: 'header', name: 'If-None-Match', required: false, schema: text },
        description: 'Tags of answers the caller has.',
      });
      operation.responses = {
        '200': { description: 'What everybody may read.', headers: { ...headers } },
        '304': { description: 'The caller has it already.', headers },
      };
    }
    const found = operation.responses['200'] as { content?: Record<string, object> };
    found.content = { ...found.content, [linkedDataType]: { schema } };
  }
}
