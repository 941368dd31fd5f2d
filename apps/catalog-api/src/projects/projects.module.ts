import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { FairModule } from '../fair/fair.module.js';
import { VisibilityModule } from '../visibility/visibility.module.js';
import { ProjectsController } from './projects.controller.js';
import { WritingModule } from '../writing/writing.module.js';
import { ProjectsService } from './projects.service.js';
import { ProjectsWriteController } from './projects.write.controller.js';

/** `/api/projects`. */
@Module({
  imports: [DocumentsModule, FairModule, VisibilityModule, WritingModule],
  controllers: [ProjectsController, ProjectsWriteController],
  providers: [ProjectsService],
})
export class ProjectsModule {}
