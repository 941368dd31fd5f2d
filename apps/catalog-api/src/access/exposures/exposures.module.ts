import { Module } from '@nestjs/common';
import { DatasetsModule } from '../../records/datasets/datasets.module.js';
import { WritingModule } from '../../publishing/writing/writing.module.js';
import { ExposuresController } from './exposures.controller.js';
import { ExposuresRepository } from './exposures.repository.js';
import { ExposuresService } from './exposures.service.js';

/** `/api/datasets/:id/exposures`. */
@Module({
  imports: [WritingModule, DatasetsModule],
  controllers: [ExposuresController],
  providers: [ExposuresService, ExposuresRepository],
})
export class ExposuresModule {}
