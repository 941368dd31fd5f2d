import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { UseClassLabels } from './use-class-labels.js';
import { UseClassesController } from './use-classes.controller.js';
import { UseClassesService } from './use-classes.service.js';

/** `/api/admin/use-classes`. */
@Module({
  imports: [AuditModule, DocumentsModule],
  controllers: [UseClassesController],
  providers: [UseClassesService, UseClassLabels],
})
export class UseClassesModule {}
