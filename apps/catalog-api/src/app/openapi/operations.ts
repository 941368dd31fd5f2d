import type { OpenAPIObject } from '@nestjs/swagger';
import { roles } from '@rdc/auth';
import { elementOutcomes } from '../../access/accessreq/decision.js';
import { taggedHeaders } from '../../publishing/schemas/read-responses.decorator.js';
import {
  arraySchema as list,
  integerSchema as integer,
  objectSchema as object,
  textSchema as text,
} from '../../publishing/schemas/response-schemas.js';
import { ifMatch } from './records.js';

const textOrNull = { type: ['string', 'null'] };

const session = object({
  user: object({ id: integer, subject: textOrNull, email: textOrNull, first_name: text, last_name: text }),
  roles: list({ type: 'string', enum: [...roles] }),
  csrf: { ...text, description: 'The value of the header `X-CSRF-Token` of each write.' },
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
  index: { ...integer, description: 'Index of the element in the body.' },
  application: integer,
  resource: text,
  user: text,
  outcome: { type: 'string', enum: [...elementOutcomes] },
});

/** The successful responses whose handlers do not declare a type, each with an example. */
const responses: Readonly<Record<string, readonly [schema: object, example: unknown]>> = {
  'get /api/permissions/{user_oidc_id}': [list(text), ['RDC_11', 'RDC_12']],
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

/** The paths whose responses to GET have an entity tag. */
const taggedPaths = [
  '/api/permissions/{user_oidc_id}',
  '/api/datasets/{dataset}/exposures',
  '/api/datasets/{dataset}/exposures/{id}',
];

const ifNoneMatch = {
  in: 'header' as const,
  name: 'If-None-Match',
  required: false,
  description: 'Entity tags of responses that the client has.',
  schema: text,
};

const notModified = { description: 'The client has the current response already.', headers: taggedHeaders };

const entitlement = {
  ...object({ application: integer, resource: text, user: text }),
  properties: {
    application: { ...integer, description: 'Number of the application in the access-request system.', example: 12 },
    resource: { ...text, description: 'Accession of the dataset.', example: 'RDC_11' },
    user: { ...text, description: 'Identifier of the person at the identity provider.', example: 'f3c1b2a4' },
    mail: { type: ['string', 'null'], example: 'ada@example.org' },
    end: {
      type: ['string', 'null'],
      description: 'The end of the entitlement. If null, the default duration applies.',
      format: 'date-time',
    },
  },
};

/** The request bodies that handlers parse themselves, and that no parameter type describes. */
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

/** Adds the bodies and headers that the handlers of other features do not declare. */
export function describeOperations(document: OpenAPIObject): void {
  describeResponses(document);
  describeTags(document);
  describeRequests(document);
  describeRedirects(document);
}

function describeResponses({ paths }: OpenAPIObject): void {
  for (const [name, [schema, example]] of Object.entries(responses)) {
    const [method, path] = name.split(' ') as ['get' | 'post' | 'put', string];
    const operation = paths[path]?.[method];
    if (!operation) throw new Error(`OpenAPI: the operation ${name} does not exist`);
    const status = '201' in operation.responses ? '201' : '200';
    const content = { 'application/json': { schema, ...(example !== undefined && { example }) } };
    operation.responses[status] = { description: 'The request succeeded.', content };
  }
}

function describeTags({ paths }: OpenAPIObject): void {
  for (const path of taggedPaths) {
    const operation = paths[path]?.get;
    operation?.parameters?.push(ifNoneMatch);
    if (operation) operation.responses['304'] = notModified;
  }
}

function describeRequests({ paths }: OpenAPIObject): void {
  for (const [path, content] of Object.entries(bodies)) {
    const operation = paths[path]?.post;
    if (operation) operation.requestBody = { required: true, content };
  }
  for (const path of ['/api/datasets/{dataset}/exposures', '/api/datasets/{dataset}/exposures/{id}/deprecate']) {
    paths[path]?.post?.parameters?.push(ifMatch);
  }
}

function describeRedirects({ paths }: OpenAPIObject): void {
  for (const path of ['/api/session/oidc', '/api/session/oidc/callback']) {
    const operation = paths[path]?.get;
    const headers = { Location: { schema: text } };
    if (operation)
      operation.responses = { '302': { description: 'The address to which the browser is sent.', headers } };
  }
}
