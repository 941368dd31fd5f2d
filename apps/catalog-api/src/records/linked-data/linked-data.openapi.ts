import { dcatAp } from './context.js';

const text = { type: 'string' } as const;
const context = {
  type: 'object',
  description: 'The base of all identifiers, prefixes and types. No context needs to be fetched.',
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

/** The OpenAPI schema of the catalog as JSON-LD. */
export const catalogSchema = {
  ...nodeSchema,
  description: `A catalog as specified by ${dcatAp}. With \`limit\`, \`hydra:view\` contains the addresses of this page and the next.`,
  required: [...nodeSchema.required, '@context', 'dcat:dataset'],
  properties: {
    ...nodeSchema.properties,
    'dcat:dataset': { type: 'array', items: nodeSchema },
    'hydra:view': { type: 'object', additionalProperties: true },
  },
} as const;

/** The schemas of linked data by name. The largest come first, because they contain the others. */
export const linkedDataSchemas = {
  LinkedCatalog: catalogSchema,
  LinkedRecords: graphSchema,
  LinkedRecord: nodeSchema,
} as const;
