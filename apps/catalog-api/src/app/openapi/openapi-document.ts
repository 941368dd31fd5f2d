import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { nameSchemas, serveOpenApi, type OpenApiOptions } from '@rdc/http';
import { describeRequestBodies } from '../../publishing/schemas/request-body.decorator.js';
import { linkedDataSchemas } from '../../records/linked-data/linked-data.openapi.js';
import { describeRecords } from './describe-records.js';
import { errorRules } from './errors.js';
import { exampleMembers } from './example-members.js';
import { exampleRequests } from './example-requests.js';
import { serveGuides } from './guides.js';
import { pathParameters } from './path-parameters.js';
import { tags } from './tags.js';

/** The path of the documentation pages. */
export const docsPath = '/docs';

/** The path of the OpenAPI document. */
export const openApiPath = `${docsPath}/openapi.json`;

/**
 * Serves the OpenAPI document, the documentation pages and the guides. Redirects `/` to the pages. The redirect is
 * relative, so that it holds under every `BASE_PATH`.
 */
export async function serveDocs(
  app: NestFastifyApplication,
  installation: Pick<OpenApiOptions, 'basePath' | 'contactEmail'>,
): Promise<void> {
  const instance = app.getHttpAdapter().getInstance();
  instance.get('/', (_request, reply) => reply.redirect('docs'));
  serveGuides(instance);
  await serveOpenApi(app, {
    ...errorRules,
    path: docsPath,
    jsonPath: openApiPath,
    ...installation,
    title: 'Data catalog',
    purpose: 'Exports the research-data catalog, searches vocabularies, and manages access to datasets.',
    pages: { Console: '/console', 'Interface of the provisioner': '/provisioner/docs' },
    tags,
    pathParameters,
    examples: { requests: exampleRequests, members: exampleMembers },
    contains: (path) => path.startsWith('/api/'),
    complete: (document) => {
      describeRequestBodies(document);
      describeRecords(document);
      nameSchemas(document, linkedDataSchemas);
    },
  });
}
