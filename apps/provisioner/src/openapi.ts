import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** The provisioner's OpenAPI document; `docs/openapi/provisioner.json` holds the same. */
export function documentOf(app: NestFastifyApplication): OpenAPIObject {
  const about = new DocumentBuilder()
    .setTitle('Storage provisioner')
    .setDescription('Compares what the source system holds with what is in storage, and imports what is missing.')
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'key')
    .addSecurityRequirements('key')
    .build();
  const document = SwaggerModule.createDocument(app, about);
  const paths = Object.entries(document.paths).filter(([path]) => !path.startsWith('/health'));
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Serves the document and a page to try it, from this service alone. */
export function serveDocumentation(app: NestFastifyApplication): void {
  SwaggerModule.setup('provisioner/docs', app, documentOf(app), { jsonDocumentUrl: 'provisioner/docs/openapi.json' });
}
