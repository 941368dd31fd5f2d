import { Module } from '@nestjs/common';
import { DocumentsModule } from '../../publishing/documents/documents.module.js';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { PartnersController } from './partners.controller.js';
import { WritingModule } from '../../publishing/writing/writing.module.js';
import { PartnersRepository } from './partners.repository.js';
import { PartnersService } from './partners.service.js';
import { PartnersWriteController } from './partners.write.controller.js';

/** `/api/partners`. */
@Module({
  imports: [DocumentsModule, VisibilityModule, WritingModule],
  controllers: [PartnersController, PartnersWriteController],
  providers: [PartnersService, PartnersRepository],
})
export class PartnersModule {}
