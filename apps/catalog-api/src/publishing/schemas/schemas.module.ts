import { Module, type DynamicModule } from '@nestjs/common';
import { PublishedSchemas, RECORD_SCHEMAS, type RecordSchemas } from './published-schemas.js';
import { SchemasController } from './schemas.controller.js';

/** `/schemas`. */
@Module({})
export class SchemasModule {
  static forRoot(schemas: RecordSchemas): DynamicModule {
    return {
      module: SchemasModule,
      controllers: [SchemasController],
      providers: [PublishedSchemas, { provide: RECORD_SCHEMAS, useValue: schemas }],
    };
  }
}
