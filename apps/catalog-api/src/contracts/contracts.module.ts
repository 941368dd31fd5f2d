import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { VisibilityModule } from '../visibility/visibility.module.js';
import { ContractsController } from './contracts.controller.js';
import { ContractsService } from './contracts.service.js';

/** `/api/contracts`. */
@Module({
  imports: [DocumentsModule, VisibilityModule],
  controllers: [ContractsController],
  providers: [ContractsService],
})
export class ContractsModule {}
