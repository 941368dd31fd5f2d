import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { TermsController } from './terms.controller.js';
import { TermsImportController } from './terms-import.controller.js';
import { TermsImport } from './terms-import.js';
import { TermsRepository } from './terms.repository.js';
import { TermsService } from './terms.service.js';

/** The four vocabularies. */
@Module({
  imports: [AuditModule, DocumentsModule],
  controllers: [TermsController, TermsImportController],
  providers: [TermsService, TermsRepository, TermsImport],
  exports: [TermsRepository],
})
export class TermsModule {}
