import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { callerRulesOf } from './caller-rules.js';
import { commonRules } from './common-rules.js';
import { describeExamples, type ExampleSources } from './describe-examples.js';
import { describePathParameters } from './describe-path-parameters.js';
import { describeResponses, type ErrorRules } from './describe-responses.js';
import { describeSecurity } from './describe-security.js';
import { removeUnusedSchemas } from './remove-unused-schemas.js';
import { securitySchemes } from './security-schemes.js';

/** The parts of an OpenAPI document that differ between services. */
export interface OpenApiOptions extends ErrorRules {
  /** The path of the page. */
  readonly path: string;
  /** The path of the document as JSON. */
  readonly jsonPath: string;
  /** The prefix of all paths; empty if there is none. */
  readonly basePath: string;
  readonly title: string;
  /** The purpose of the service in one sentence. */
  readonly purpose: string;
  /** The other pages of the system: paths on the same origin, by title. */
  readonly pages: Readonly<Record<string, string>>;
  /** The e-mail address of the operators; undefined if none is configured. */
  readonly contactEmail: string | undefined;
  /** The description of each tag. Each operation has one of these tags: the name of its resource. */
  readonly tags: Readonly<Record<string, string>>;
  /** The description of each parameter of a path, by the beginning of the path up to the parameter. */
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly examples: ExampleSources;
  /** Returns whether the document contains a path. */
  readonly contains: (path: string) => boolean;
  /** Completes the document before callers, errors and examples are added. */
  readonly complete?: (document: OpenAPIObject) => void;
}

/** The path under which the catalog serves the guides: the files of the folder `docs`. */
export const guidesPath = '/docs/guides';

/** The guides that the first page links to, by title. */
const guides = {
  'Integration by HTTP, and clients in Python and TypeScript': 'integrate.md',
  'Error codes': 'errors.md',
  Terms: 'domain.md',
  Operation: 'operate.md',
  Configuration: 'configuration.md',
} as const;

/**
 * Serves the OpenAPI 3.1 document as JSON and as a page, which loads no file from other origins. The document depends
 * only on the code, the base path and the contact. A process that serves no documents does not load the package.
 */
export async function serveOpenApi(app: INestApplication, options: OpenApiOptions): Promise<void> {
  const { DocumentBuilder, SwaggerModule } = await import('@nestjs/swagger');
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(options.title)
    .setDescription([options.purpose, linksTo(options), commonRules].join('\n\n'))
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer(options.basePath || '/', 'This service');
  for (const [name, description] of Object.entries(options.tags)) config.addTag(name, description);
  for (const [name, scheme] of Object.entries(securitySchemes)) config.addApiKey(scheme, name);
  const createDocument = (): OpenAPIObject =>
    describe(app, SwaggerModule.createDocument(app, config.build(), { autoTagControllers: false }), options);
  SwaggerModule.setup(options.path, app, createDocument, {
    customSiteTitle: options.title,
    jsonDocumentUrl: options.jsonPath,
    raw: ['json'],
  });
}

/** Returns Markdown with the other pages of the system and the guides. */
function linksTo({ pages, basePath }: OpenApiOptions): string {
  const pageLinks = Object.entries(pages).map(([title, path]) => `- [${title}](${basePath}${path})`);
  const guideLinks = Object.entries(guides).map(([title, file]) => `- [${title}](${basePath}${guidesPath}/${file})`);
  return ['**Pages**', '', ...pageLinks, '', '**Guides**', '', ...guideLinks].join('\n');
}

function describe(app: INestApplication, document: OpenAPIObject, options: OpenApiOptions): OpenAPIObject {
  const { contactEmail } = options;
  if (contactEmail === undefined) delete document.info.contact;
  else document.info.contact = { email: contactEmail };
  const paths = Object.entries(document.paths).filter(([path]) => options.contains(path));
  document.paths = Object.fromEntries(paths.sort(([one], [other]) => (one < other ? -1 : 1)));
  options.complete?.(document);
  describePathParameters(document, options.pathParameters);
  describeSecurity(document, callerRulesOf(app));
  describeResponses(document, options);
  describeExamples(document, options.examples);
  removeUnusedSchemas(document);
  return document;
}
