import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { sessionCookieName } from '@rdc/auth';
import { commonRules, describeExamples, describeScopes, keyInQuery } from '@rdc/http';
import { describeLinkedData } from '../../records/linked-data/linked-data.openapi.js';
import { describeAnswers } from './answers.js';
import { describeOwnErrors } from './errors.js';
import { exampleMembers } from './example-members.js';
import { describeRecords } from './records.js';

/** The path of the description for people. */
export const docsPath = '/docs';

/** The path of the description for programs. */
export const openApiPath = `${docsPath}/openapi.json`;

/** The OpenAPI 3.1 description of the service, made of its controllers. The same code gives the same document. */
function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Data catalog')
    .setDescription(`Exports the research-data catalog, searches terms, says who may use what.\n\n${commonRules}`)
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'key')
    .addApiKey(keyInQuery, 'key-in-query')
    .addCookieAuth(sessionCookieName, { type: 'apiKey', in: 'cookie' }, 'session')
    .addSecurityRequirements('key')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  describeRecords(document);
  describeAnswers(document);
  describeLinkedData(document);
  describeOwnErrors(document);
  describeScopes(app, document);
  describeExamples(document, exampleMembers);
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/'));
  return { ...document, paths: Object.fromEntries(paths.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

/**
 * Serves the description for people, which loads nothing of other origins, and for programs. `/` leads to the first, by an
 * address that holds below every `BASE_PATH`.
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
