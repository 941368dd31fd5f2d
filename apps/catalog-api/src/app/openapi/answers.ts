import type { OpenAPIObject } from '@nestjs/swagger';
import { roles } from '@rdc/auth';
import { elementOutcomes } from '../../access/accessreq/decision.js';
import { conditional, ifMatch, type Answer } from './records.js';

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const object = (properties: Record<string, object>) => ({
  type: 'object' as const,
  properties,
  required: Object.keys(properties),
});
const list = (items: object) => ({ type: 'array' as const, items });

const textOrNull = { type: ['string', 'null'] };

const session = object({
  user: object({ id: integer, subject: textOrNull, email: textOrNull, first_name: text, last_name: text }),
  roles: list({ type: 'string', enum: [...roles] }),
  csrf: { ...text, description: 'Sent back as `X-CSRF-Token` with each write.' },
});

const exposure = object({
  id: integer,
  endpoint: { ...text, description: 'The name of the endpoint.' },
  form_id: integer,
  form_name: textOrNull,
  request_pdf_enabled: { type: 'boolean' },
  released_date: text,
  deprecated: { type: 'boolean' },
  deprecation_date: textOrNull,
  deprecation_notes: textOrNull,
});

const entitlementResult = object({
  index: { ...integer, description: 'Place of the element in the body.' },
  application: integer,
  resource: text,
  user: text,
  outcome: { type: 'string', enum: [...elementOutcomes] },
});

/** What the other addresses answer with when all is well, and an example of it. */
const answers: Readonly<Record<string, readonly [schema: object, example: unknown]>> = {
  'get /api/users': [
    object({ results: list(object({ id: integer, text })) }),
    { results: [{ id: 7, text: 'Ada Lovelace' }] },
  ],
  'get /api/permissions/{user_oidc_id}': [list(text), ['RDC_11', 'RDC_12']],
  'get /api/termsearch/{category}': [
    object({
      results: list(object({ id: integer, text, term_id: text })),
      pagination: object({ more: { type: 'boolean' }, page: integer, total: integer }),
    }),
    {
      results: [{ id: 41, text: 'Seizure', term_id: 'HP:0001250' }],
      pagination: { more: false, page: 1, total: 1 },
    },
  ],
  'post /api/accessreq': [
    object({ status: text, results: list(entitlementResult) }),
    {
      status: 'Success',
      results: [{ index: 0, application: 12, resource: 'RDC_11', user: 'f3c1b2a4', outcome: 'granted' }],
    },
  ],
  'post /api/import/terms/{category}': [
    object({
      status: text,
      dry_run: { type: 'boolean' },
      terms: integer,
      created: integer,
      updated: integer,
      obsoleted: integer,
      unchanged: integer,
    }),
    { status: 'Success', dry_run: false, terms: 17_868, created: 12, updated: 3, obsoleted: 1, unchanged: 17_853 },
  ],
  'post /api/import/{resource}': [
    object({
      status: text,
      dry_run: { type: 'boolean' },
      items: integer,
      created: integer,
      updated: integer,
      unchanged: integer,
    }),
    { status: 'Success', dry_run: false, items: 120, created: 2, updated: 1, unchanged: 117 },
  ],
  'post /api/session': [session, undefined],
  'get /api/session': [session, undefined],
  'put /api/session/password': [session, undefined],
  'get /api/datasets/{dataset}/exposures': [object({ results: list(exposure) }), undefined],
  'get /api/datasets/{dataset}/exposures/{id}': [exposure, undefined],
  'post /api/datasets/{dataset}/exposures': [exposure, undefined],
  'post /api/datasets/{dataset}/exposures/{id}/deprecate': [exposure, undefined],
};

/** What is tagged beside the records. */
const tagged = [
  '/api/users',
  '/api/permissions/{user_oidc_id}',
  '/api/termsearch/{category}',
  '/api/datasets/{dataset}/exposures',
  '/api/datasets/{dataset}/exposures/{id}',
];

const entitlement = {
  ...object({ application: integer, resource: text, user: text }),
  properties: {
    application: { ...integer, description: 'Number of the application at the access-request system.', example: 12 },
    resource: { ...text, description: 'Accession of the dataset.', example: 'RDC_11' },
    user: { ...text, description: 'Identifier of the person at the identity provider.', example: 'f3c1b2a4' },
    mail: { type: ['string', 'null'], example: 'ada@example.org' },
    end: { type: ['string', 'null'], description: 'Until when; null for the default time.', format: 'date-time' },
  },
};

/** What handlers read by themselves, and of which the description would otherwise not know. */
const bodies: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  '/api/accessreq': { 'application/json': { schema: { oneOf: [list(entitlement), entitlement] } } },
  '/api/import/{resource}': {
    'application/json': { schema: object({ items: list({ type: 'object' }) }), example: { items: [] } },
    'application/x-ndjson': { schema: text, example: '{"acronym": "ALPHA"}\n{"acronym": "BETA"}\n' },
  },
  '/api/import/terms/{category}': {
    'text/plain': { schema: text, example: 'id\tlabel\tsynonyms\nHP:0001250\tSeizure\tFit|Epileptic seizure\n' },
  },
};

/** Adds the answers of the addresses that are not lists of records. */
export function describeAnswers({ paths }: OpenAPIObject): void {
  for (const [place, [schema, example]] of Object.entries(answers)) {
    const [method, path] = place.split(' ') as ['get' | 'post' | 'put', string];
    const operation = paths[path]?.[method];
    if (!operation) throw new Error(`There is no ${place} to describe.`);
    const status = '201' in operation.responses ? '201' : '200';
    const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
    operation.responses[status] = { description: 'All went well.', content };
  }
  for (const path of tagged) {
    const operation = paths[path]?.get;
    if (operation) conditional(operation, { ...operation.responses['200'] } as Answer);
  }
  for (const [path, content] of Object.entries(bodies)) {
    const operation = paths[path]?.post;
    if (operation) operation.requestBody = { required: true, content };
  }
  for (const path of ['/api/datasets/{dataset}/exposures', '/api/datasets/{dataset}/exposures/{id}/deprecate']) {
    paths[path]?.post?.parameters?.push(ifMatch);
  }
  for (const path of ['/api/session/oidc', '/api/session/oidc/callback']) {
    const begun = paths[path]?.get;
    if (begun)
      begun.responses = {
        '302': { description: 'Where the browser goes next.', headers: { Location: { schema: text } } },
      };
  }
}
