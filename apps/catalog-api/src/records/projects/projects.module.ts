import { Module } from '@nestjs/common';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { FairModule } from '../linked-data/fair.module.js';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { ProjectsController } from './projects.controller.js';
import { WritingModule } from '../../publishing/writing/writing.module.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';
import { ProjectsWriteController } from './projects.write.controller.js';

/** `/api/projects`. */
@Module({
  imports: [DocumentsModule, FairModule, VisibilityModule, WritingModule],
  controllers: [ProjectsController, ProjectsWriteController],
  providers: [ProjectsService, ProjectsRepository],
})
export class ProjectsModule {}
