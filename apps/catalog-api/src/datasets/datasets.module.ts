import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { FairModule } from '../fair/fair.module.js';
import { VisibilityModule } from '../visibility/visibility.module.js';
import { DatasetsController } from './datasets.controller.js';
import { WritingModule } from '../writing/writing.module.js';
import { DatasetsService } from './datasets.service.js';
import { DatasetsWriteController } from './datasets.write.controller.js';

/** `/api/datasets`. */
@Module({
  imports: [DocumentsModule, FairModule, VisibilityModule, WritingModule],
  controllers: [DatasetsController, DatasetsWriteController],
  providers: [DatasetsService],
  exports: [DatasetsService],
})
export class DatasetsModule {}
