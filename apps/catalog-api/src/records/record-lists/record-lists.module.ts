import { Module } from '@nestjs/common';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { RecordListsController } from './record-lists.controller.js';
import { RecordListsRepository } from './record-lists.repository.js';
import { RecordListsService } from './record-lists.service.js';

/** `/api/admin/projects`, `/api/admin/datasets` etc.: lists of records for the administration. */
@Module({
  imports: [VisibilityModule],
  controllers: [RecordListsController],
  providers: [RecordListsService, RecordListsRepository],
})
export class RecordListsModule {}
