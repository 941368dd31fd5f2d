import { Module } from '@nestjs/common';
import { WritingModule } from '../../publishing/writing/writing.module.js';
import { BulkController } from './bulk.controller.js';
import { BulkImport } from './bulk-import.js';
import { BulkService } from './bulk.service.js';

/** `/api/import`. */
@Module({ imports: [WritingModule], controllers: [BulkController], providers: [BulkService, BulkImport] })
export class BulkModule {}
