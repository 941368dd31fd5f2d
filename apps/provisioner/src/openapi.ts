import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';

/** The OpenAPI 3.1 description of the service, made of its controllers. The same code gives the same document. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Storage provisioner')
    .setDescription('Compares what the source system holds with what is in storage, and imports what is missing.')
    .setVersion('1')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key' }, 'key')
    .addSecurityRequirements('key')
    .build();
  const document = SwaggerModule.createDocument(app, config);
  const paths = Object.entries(document.paths).filter(([path]) => !/^\/(health|metrics)/.test(path));
  return { ...document, paths: Object.fromEntries(paths.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

/** Serves the description for people at `/provisioner/docs`, without anything from elsewhere. */
export function serveDocs(app: INestApplication): void {
  SwaggerModule.setup('provisioner/docs', app, () => openApiDocument(app), {
    customSiteTitle: 'Storage provisioner',
    jsonDocumentUrl: 'provisioner/docs/openapi.json',
    raw: ['json'],
  });
}
