import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { sessionCookieName } from '@rdc/auth';
import { commonRules, describeExamples, describeScopes, keyInQuery } from '@rdc/http';
import { describeRequestBodies } from '../../publishing/schemas/request-body.decorator.js';
import { referenceTo } from '../../publishing/schemas/read-responses.decorator.js';
import { writtenRecord } from '../../publishing/writing/written-record.decorator.js';
import { recordSchemas } from '../../records/definitions/record-schemas.js';
import { describeOwnErrors } from './errors.js';
import { exampleMembers } from './example-members.js';

/** The path of the documentation pages. */
export const docsPath = '/docs';

/** The path of the OpenAPI document. */
export const openApiPath = `${docsPath}/openapi.json`;

/** Returns the OpenAPI 3.1 document of the service. The document depends only on the code. */
function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Data catalog')
    .setDescription(
      `Exports the research-data catalog, searches vocabularies, and manages access to datasets.\n\n${commonRules}`,
    )
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'key')
    .addApiKey(keyInQuery, 'key-in-query')
    .addCookieAuth(sessionCookieName, { type: 'apiKey', in: 'cookie' }, 'session')
    .addSecurityRequirements('key')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  describeRecords(document);
  describeRequestBodies(document);
  describeOwnErrors(document);
  describeScopes(app, document);
  describeExamples(document, exampleMembers);
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/'));
  return { ...document, paths: Object.fromEntries(paths.sort(([one], [other]) => (one < other ? -1 : 1))) };
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

/**
 * Serves the OpenAPI document and the documentation pages, which load no file from other origins. Redirects `/` to the
 * pages. The redirect is relative, so that it holds under every `BASE_PATH`.
 */
export function serveDocs(app: NestFastifyApplication): void {
  app
    .getHttpAdapter()
    .getInstance()
    .get('/', (_request, reply) => reply.redirect('docs'));
  SwaggerModule.setup(docsPath, app, () => openApiDocument(app), {
    customSiteTitle: 'Data catalog',
    jsonDocumentUrl: openApiPath,
    raw: ['json'],
  });
}
