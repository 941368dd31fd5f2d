import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { PlatformsAdminController } from './platforms-admin.controller.js';
import { PlatformsAdminRepository } from './platforms-admin.repository.js';
import { PlatformsAdminService } from './platforms-admin.service.js';

/** `/api/admin/platforms`. */
@Module({
  imports: [AuditModule, DocumentsModule],
  controllers: [PlatformsAdminController],
  providers: [PlatformsAdminService, PlatformsAdminRepository],
})
export class PlatformsAdminModule {}
