import { Module } from '@nestjs/common';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { ChangesController } from './changes.controller.js';
import { ChangesRepository } from './changes.repository.js';
import { ChangesService } from './changes.service.js';

/** `/api/changes`. */
@Module({
  imports: [VisibilityModule],
  controllers: [ChangesController],
  providers: [ChangesService, ChangesRepository],
})
export class ChangesModule {}
