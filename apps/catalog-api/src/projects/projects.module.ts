import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { VisibilityModule } from '../visibility/visibility.module.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';

/** `/api/projects`. */
@Module({
  imports: [DocumentsModule, VisibilityModule],
  controllers: [ProjectsController],
  providers: [ProjectsService],
})
export class ProjectsModule {}
