import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { VisibilityModule } from '../visibility/visibility.module.js';
import { DatasetsController } from './datasets.controller.js';
import { DatasetsService } from './datasets.service.js';

/** `/api/datasets`. */
@Module({
  imports: [DocumentsModule, VisibilityModule],
  controllers: [DatasetsController],
  providers: [DatasetsService],
})
export class DatasetsModule {}
