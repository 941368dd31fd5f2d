import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { commonRules, describeResponses, describeExamples, describeScopes, keyInQuery, type Meaning } from '@rdc/http';

const meanings: Readonly<Record<number, Meaning>> = {
  409: ['The operation conflicts with the present state. `more.code` contains the reason.', 'import.state'],
  507: ['The storage does not have enough free space.', 'storage.no_space'],
};

/** Example values of members by name, for members whose schemas contain no example. */
const exampleMembers: Readonly<Record<string, unknown>> = {
  subject: 'DS-001',
  submission: 'SUB-2026-001',
  dataset_id: 'DS-001',
  import_id: '01M7ZW7275ACSPZ1JBFGFVCTZY',
  title: 'Genomes',
  submitter: 'Ada Byron',
  requested_by: 'ada@example.org',
  phase: 'copying',
  sha256: '5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5',
  manifest_sha256: '5994471abb01112afcc18159f6cc74b4f511b99806da59b3caf5a9c173cacfc5',
  missing_datasets: [],
  problems: [],
  current: ['data/reads.bam'],
  skipped: { not_ready: 1 },
  error: null,
};

/** Returns the OpenAPI 3.1 document of the service. The document depends only on the code. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Storage provisioner')
    .setDescription(
      `Compares the source system with the data storage and imports missing datasets and submissions.\n\n${commonRules}`,
    )
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'key')
    .addApiKey(keyInQuery, 'key-in-query')
    .addSecurityRequirements('key')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  describeResponses(document, statusesOf, meanings);
  describeExamples(document, exampleMembers);
  describeScopes(app, document);
  const paths = Object.entries(document.paths).filter(([path]) => !/^\/(health|metrics)/.test(path));
  return { ...document, paths: Object.fromEntries(paths.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

/** Returns the error statuses of an operation. A POST requests an import, which the source or storage may not allow. */
function statusesOf(_path: string, method: string): readonly number[] {
  return method === 'post' ? [404, 409, 507] : [];
}

/**
 * Serves the OpenAPI document as a page, which loads nothing from other origins, and as JSON.
 *
 * @param path the path of the page
 * @param jsonPath the path of the JSON document
 */
export function serveDocs(app: INestApplication, path: string, jsonPath: string): void {
  SwaggerModule.setup(path, app, () => openApiDocument(app), {
    customSiteTitle: 'Storage provisioner',
    jsonDocumentUrl: jsonPath,
    raw: ['json'],
  });
}
