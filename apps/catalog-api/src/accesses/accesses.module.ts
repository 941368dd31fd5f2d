import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { DocumentsModule } from '../documents/documents.module.js';
import { IdentityProviderModule } from '../identity-provider/identity-provider.module.js';
import { AccessesController } from './accesses.controller.js';
import { AccessesRepository } from './accesses.repository.js';
import { AccessesService } from './accesses.service.js';

/** Accesses, as administrators work with them. */
@Module({
  imports: [AuditModule, DocumentsModule, IdentityProviderModule],
  controllers: [AccessesController],
  providers: [AccessesService, AccessesRepository],
})
export class AccessesModule {}
