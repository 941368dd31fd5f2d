import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { KeysModule } from '../../people/keys/keys.module.js';
import { EndpointsAdminController } from './endpoints-admin.controller.js';
import { EndpointsAdminRepository } from './endpoints-admin.repository.js';
import { EndpointsAdminService } from './endpoints-admin.service.js';

/** The administration of endpoints. */
@Module({
  imports: [AuditModule, DocumentsModule, KeysModule],
  controllers: [EndpointsAdminController],
  providers: [EndpointsAdminService, EndpointsAdminRepository],
})
export class EndpointsAdminModule {}
