import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { KeysModule } from '../keys/keys.module.js';
import { SecondFactorModule } from '../second-factor/second-factor.module.js';
import { UsersAdminController } from './users-admin.controller.js';
import { UsersAdminRepository } from './users-admin.repository.js';
import { UsersAdminService } from './users-admin.service.js';

/** The administration of users. */
@Module({
  imports: [AuditModule, DocumentsModule, KeysModule, SecondFactorModule],
  controllers: [UsersAdminController],
  providers: [UsersAdminService, UsersAdminRepository],
  exports: [UsersAdminService],
})
export class UsersAdminModule {}
