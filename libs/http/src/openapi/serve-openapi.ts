import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { commonRules, keyInQuery } from './common-rules.js';
import { describeExamples } from './describe-examples.js';
import { describeResponses, type ErrorRules } from './describe-responses.js';
import { describeScopes } from './describe-scopes.js';

/** The parts of an OpenAPI document that differ between services. */
export interface OpenApiOptions extends ErrorRules {
  /** The path of the page. */
  readonly path: string;
  /** The path of the document as JSON. */
  readonly jsonPath: string;
  readonly title: string;
  /** The purpose of the service in one sentence. */
  readonly purpose: string;
  /** The name of the session cookie; undefined if the service has no sessions. */
  readonly sessionCookie?: string;
  /** Examples of members by name, for members whose schemas contain no example. */
  readonly exampleMembers: Readonly<Record<string, unknown>>;
  /** Returns whether the document contains a path. */
  readonly contains: (path: string) => boolean;
  /** Completes the document before errors and examples are added. */
  readonly complete?: (document: OpenAPIObject) => void;
}

/**
 * Serves the OpenAPI 3.1 document as JSON and as a page, which loads no file from other origins. The document depends
 * only on the code. A process that serves no documents does not load the package.
 */
export async function serveOpenApi(app: INestApplication, options: OpenApiOptions): Promise<void> {
  const { DocumentBuilder, SwaggerModule } = await import('@nestjs/swagger');
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(options.title)
    .setDescription(`${options.purpose}\n\n${commonRules}`)
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'key')
    .addApiKey(keyInQuery, 'key-in-query')
    .addSecurityRequirements('key');
  if (options.sessionCookie !== undefined) {
    config.addCookieAuth(options.sessionCookie, { type: 'apiKey', in: 'cookie' }, 'session');
  }
  const createDocument = (): OpenAPIObject => describe(app, SwaggerModule.createDocument(app, config.build()), options);
  SwaggerModule.setup(options.path, app, createDocument, {
    customSiteTitle: options.title,
    jsonDocumentUrl: options.jsonPath,
    raw: ['json'],
  });
}

function describe(app: INestApplication, document: OpenAPIObject, options: OpenApiOptions): OpenAPIObject {
  options.complete?.(document);
  describeResponses(document, options);
  describeScopes(app, document);
  describeExamples(document, options.exampleMembers);
  const paths = Object.entries(document.paths).filter(([path]) => options.contains(path));
  return { ...document, paths: Object.fromEntries(paths.sort(([one], [other]) => (one < other ? -1 : 1))) };
}
