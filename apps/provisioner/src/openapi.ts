import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { commonRules, describeErrors, describeExamples, describeScopes, keyInQuery, type Meaning } from '@rdc/http';

const meanings: Readonly<Record<number, Meaning>> = {
  409: ['It cannot be done as things stand; `more.code` says why.', 'import.state'],
  507: ['The storage has no room for it.', 'storage.no_space'],
};

/** What members of these names look like in examples, where their schemas do not say. */
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

/** The OpenAPI 3.1 description of the service, made of its controllers. The same code gives the same document. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Storage provisioner')
    .setDescription(
      `Compares what the source system holds with what is in storage, and imports what is missing.\n\n${commonRules}`,
    )
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'key')
    .addApiKey(keyInQuery, 'key-in-query')
    .addSecurityRequirements('key')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  describeErrors(document, statusesOf, meanings);
  describeExamples(document, exampleMembers);
  describeScopes(app, document);
  const paths = Object.entries(document.paths).filter(([path]) => !/^\/(health|metrics)/.test(path));
  return { ...document, paths: Object.fromEntries(paths.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

/** Imports are asked for with POST, of what the source or storage may not hold, and which they may forbid. */
function statusesOf(_path: string, method: string): readonly number[] {
  return method === 'post' ? [404, 409, 507] : [];
}

/**
 * Serves the description for people, which loads nothing of other origins, and for programs.
 *
 * @param path of the first
 * @param jsonPath of the second
 */
export function serveDocs(app: INestApplication, path: string, jsonPath: string): void {
  SwaggerModule.setup(path, app, () => openApiDocument(app), {
    customSiteTitle: 'Storage provisioner',
    jsonDocumentUrl: jsonPath,
    raw: ['json'],
  });
}
