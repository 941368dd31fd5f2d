import { Module } from '@nestjs/common';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { ContractsController } from './contracts.controller.js';
import { WritingModule } from '../../publishing/writing/writing.module.js';
import { ContractsRepository } from './contracts.repository.js';
import { ContractsService } from './contracts.service.js';
import { ContractsWriteController } from './contracts.write.controller.js';

/** `/api/contracts`. */
@Module({
  imports: [DocumentsModule, VisibilityModule, WritingModule],
  controllers: [ContractsController, ContractsWriteController],
  providers: [ContractsService, ContractsRepository],
})
export class ContractsModule {}
