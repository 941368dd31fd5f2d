import { Controller, Get, Header, Param } from '@nestjs/common';
import { CallableByAnyone } from '@rdc/auth';
import { UnknownRecordError } from '@rdc/errors';
import type { JsonSchema } from './json-schema.js';
import { PublishedSchemas } from './published-schemas.js';

/** Serves the JSON Schemas of records and lists. */
@Controller('schemas')
@CallableByAnyone()
export class SchemasController {
  constructor(private readonly schemas: PublishedSchemas) {}

  /** Returns a schema by its file name. */
  @Get(':name')
  @Header('Cache-Control', 'public, max-age=3600')
  @Header('Content-Type', 'application/schema+json; charset=utf-8')
  get(@Param('name') name: string): JsonSchema {
    const schema = this.schemas.find(name);
    if (!schema) throw new UnknownRecordError('schema', name);
    return schema;
  }
}
