import { Module } from '@nestjs/common';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { FairModule } from '../linked-data/fair.module.js';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { DatasetsController } from './datasets.controller.js';
import { WritingModule } from '../../publishing/writing/writing.module.js';
import { DatasetReadinessController } from './dataset-readiness.controller.js';
import { DatasetReadinessService } from './dataset-readiness.service.js';
import { DatasetStoragesController } from './dataset-storages.controller.js';
import { DatasetStoragesService } from './dataset-storages.service.js';
import { DatasetsRepository } from './datasets.repository.js';
import { DatasetsService } from './datasets.service.js';
import { DatasetsWriteController } from './datasets.write.controller.js';

/** `/api/datasets`. */
@Module({
  imports: [DocumentsModule, FairModule, VisibilityModule, WritingModule],
  controllers: [DatasetsController, DatasetsWriteController, DatasetStoragesController, DatasetReadinessController],
  providers: [DatasetsService, DatasetsRepository, DatasetStoragesService, DatasetReadinessService],
  exports: [DatasetsService],
})
export class DatasetsModule {}
