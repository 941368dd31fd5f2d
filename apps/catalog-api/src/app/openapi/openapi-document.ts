import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { sessionCookieName } from '@rdc/auth';
import { serveOpenApi } from '@rdc/http';
import { describeRequestBodies } from '../../publishing/schemas/request-body.decorator.js';
import { referenceTo } from '../../publishing/schemas/read-responses.decorator.js';
import { writtenRecord } from '../../publishing/writing/written-record.decorator.js';
import { recordSchemas } from '../../records/definitions/record-schemas.js';
import { errorRules } from './errors.js';
import { exampleMembers } from './example-members.js';

/** The path of the documentation pages. */
export const docsPath = '/docs';

/** The path of the OpenAPI document. */
export const openApiPath = `${docsPath}/openapi.json`;

/**
 * Serves the OpenAPI document and the documentation pages. Redirects `/` to the pages. The redirect is relative, so that
 * it holds under every `BASE_PATH`.
 */
export async function serveDocs(app: NestFastifyApplication): Promise<void> {
  app
    .getHttpAdapter()
    .getInstance()
    .get('/', (_request, reply) => reply.redirect('docs'));
  await serveOpenApi(app, {
    ...errorRules,
    path: docsPath,
    jsonPath: openApiPath,
    title: 'Data catalog',
    purpose: 'Exports the research-data catalog, searches vocabularies, and manages access to datasets.',
    sessionCookie: sessionCookieName,
    exampleMembers,
    contains: (path) => path.startsWith('/api/'),
    complete: (document) => {
      describeRecords(document);
      describeRequestBodies(document);
    },
  });
}

/** Adds the schemas of the records, and refers to the schema of its kind in each operation that writes a record. */
function describeRecords({ paths, components = {} }: OpenAPIObject): void {
  for (const [list, record] of Object.entries(recordSchemas)) {
    components.schemas = { ...components.schemas, [String(record['title'])]: record as object };
    for (const path of Object.keys(paths).filter((each) => each.split('/')[2] === list)) {
      const text = JSON.stringify(paths[path]).replaceAll(writtenRecord.$ref, referenceTo(record).$ref);
      paths[path] = JSON.parse(text) as OpenAPIObject['paths'][string];
    }
  }
}
