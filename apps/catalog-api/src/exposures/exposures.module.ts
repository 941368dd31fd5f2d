import { Module } from '@nestjs/common';
import { WritingModule } from '../writing/writing.module.js';
import { ExposuresController } from './exposures.controller.js';
import { ExposuresRepository } from './exposures.repository.js';
import { ExposuresService } from './exposures.service.js';

/** `/api/datasets/:id/exposures`. */
@Module({
  imports: [WritingModule],
  controllers: [ExposuresController],
  providers: [ExposuresService, ExposuresRepository],
})
export class ExposuresModule {}
