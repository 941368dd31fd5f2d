import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { GrantsAdminController } from './grants-admin.controller.js';
import { GrantsAdminRepository } from './grants-admin.repository.js';
import { GrantsAdminService } from './grants-admin.service.js';

/** The administration of grants. */
@Module({
  imports: [AuditModule, DocumentsModule],
  controllers: [GrantsAdminController],
  providers: [GrantsAdminService, GrantsAdminRepository],
})
export class GrantsAdminModule {}
