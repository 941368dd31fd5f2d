import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { VisibilityModule } from '../visibility/visibility.module.js';
import { CohortsController } from './cohorts.controller.js';
import { CohortsService } from './cohorts.service.js';

/** `/api/cohorts`. */
@Module({
  imports: [DocumentsModule, VisibilityModule],
  controllers: [CohortsController],
  providers: [CohortsService],
})
export class CohortsModule {}
