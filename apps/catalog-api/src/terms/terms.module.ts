import { Module } from '@nestjs/common';
import { TermsController } from './terms.controller.js';
import { TermsRepository } from './terms.repository.js';
import { TermsService } from './terms.service.js';

/** The four vocabularies. */
@Module({
  controllers: [TermsController],
  providers: [TermsService, TermsRepository],
})
export class TermsModule {}
