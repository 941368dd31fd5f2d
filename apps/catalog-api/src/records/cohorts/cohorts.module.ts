import { Module } from '@nestjs/common';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { CohortsController } from './cohorts.controller.js';
import { WritingModule } from '../../publishing/writing/writing.module.js';
import { CohortsRepository } from './cohorts.repository.js';
import { CohortsService } from './cohorts.service.js';
import { CohortsWriteController } from './cohorts.write.controller.js';

/** `/api/cohorts`. */
@Module({
  imports: [DocumentsModule, VisibilityModule, WritingModule],
  controllers: [CohortsController, CohortsWriteController],
  providers: [CohortsService, CohortsRepository],
})
export class CohortsModule {}
