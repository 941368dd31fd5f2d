import type { OpenAPIObject } from '@nestjs/swagger';

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const object = (properties: Record<string, object>) => ({
  type: 'object' as const,
  properties,
  required: Object.keys(properties),
});
const list = (items: object) => ({ type: 'array' as const, items });

const exposure = object({ id: integer });

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
    object({ status: text, results: list({ type: 'object' }) }),
    { status: 'Success', results: [{ index: 0, outcome: 'created' }] },
  ],
  'post /api/idp/force': [
    object({ status: text, provider: text, fetched: integer, created: integer, updated: integer, unchanged: integer }),
    { status: 'Success', provider: 'keycloak', fetched: 120, created: 2, updated: 1, unchanged: 117 },
  ],
  'post /api/import/{resource}': [object({ status: text }), { status: 'Success' }],
  'post /api/session': [object({ user: { type: ['object', 'null'] }, csrf: text }), undefined],
  'get /api/session': [object({}), undefined],
  'get /api/datasets/{dataset}/exposures': [object({ results: list(exposure) }), undefined],
  'get /api/datasets/{dataset}/exposures/{id}': [exposure, undefined],
  'post /api/datasets/{dataset}/exposures': [exposure, undefined],
  'post /api/datasets/{dataset}/exposures/{id}/deprecate': [exposure, undefined],
};

/** Adds the answers of the addresses that are not lists of records. */
export function describeAnswers({ paths }: OpenAPIObject): void {
  for (const [place, [schema, example]] of Object.entries(answers)) {
    const [method, path] = place.split(' ') as ['get' | 'post', string];
    const operation = paths[path]?.[method];
    if (!operation) throw new Error(`There is no ${place} to describe.`);
    const status = '201' in operation.responses ? '201' : '200';
    const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
    operation.responses[status] = { description: 'All went well.', content };
  }
  for (const path of ['/api/session/oidc', '/api/session/oidc/callback']) {
    const begun = paths[path]?.get;
    if (begun)
      begun.responses = {
        '302': { description: 'Where the browser goes next.', headers: { Location: { schema: text } } },
      };
  }
}
