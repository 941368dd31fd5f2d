import { Module } from '@nestjs/common';
import { AccessRequestModule } from '../accessreq/accessreq.module.js';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { AccessesController } from './accesses.controller.js';
import { AccessesRepository } from './accesses.repository.js';
import { AccessesService } from './accesses.service.js';

/** The administration of accesses. */
@Module({
  imports: [AccessRequestModule, AuditModule, DocumentsModule],
  controllers: [AccessesController],
  providers: [AccessesService, AccessesRepository],
})
export class AccessesModule {}
