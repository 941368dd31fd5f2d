import { Module } from '@nestjs/common';
import { AuditModule } from '../../publishing/audit/audit.module.js';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { CustodiansController } from './custodians.controller.js';
import { CustodiansRepository } from './custodians.repository.js';
import { CustodiansService } from './custodians.service.js';

/** Local custodians and personnel of records. */
@Module({
  imports: [AuditModule, DocumentsModule],
  controllers: [CustodiansController],
  providers: [CustodiansService, CustodiansRepository],
})
export class CustodiansModule {}
