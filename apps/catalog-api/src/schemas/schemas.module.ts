import { Module } from '@nestjs/common';
import { SchemasController } from './schemas.controller.js';

/** `/schemas`. */
@Module({ controllers: [SchemasController] })
export class SchemasModule {}
