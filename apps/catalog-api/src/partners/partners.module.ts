import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/documents.module.js';
import { VisibilityModule } from '../visibility/visibility.module.js';
import { PartnersController } from './partners.controller.js';
import { PartnersService } from './partners.service.js';

/** `/api/partners`. */
@Module({
  imports: [DocumentsModule, VisibilityModule],
  controllers: [PartnersController],
  providers: [PartnersService],
})
export class PartnersModule {}
