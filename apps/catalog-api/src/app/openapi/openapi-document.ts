import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { sessionCookieName } from '@rdc/auth';
import { commonRules, describeExamples, describeScopes, keyInQuery } from '@rdc/http';
import { describeOwnErrors } from './errors.js';
import { exampleMembers } from './example-members.js';
import { describeOperations } from './operations.js';
import { describeRecords } from './records.js';

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
  describeOperations(document);
  describeOwnErrors(document);
  describeScopes(app, document);
  describeExamples(document, exampleMembers);
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/'));
  return { ...document, paths: Object.fromEntries(paths.sort(([one], [other]) => (one < other ? -1 : 1))) };
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
