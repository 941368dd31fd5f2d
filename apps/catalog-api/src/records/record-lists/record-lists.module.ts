import { Module } from '@nestjs/common';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { RecordLinksController } from './record-links.controller.js';
import { RecordLinksService } from './record-links.service.js';
import { RecordListsController } from './record-lists.controller.js';
import { RecordListsRepository } from './record-lists.repository.js';
import { RecordListsService } from './record-lists.service.js';

/** `/api/admin/projects`, `/api/admin/datasets` etc.: lists of records for the administration, and the links between records. */
@Module({
  imports: [VisibilityModule],
  controllers: [RecordListsController, RecordLinksController],
  providers: [RecordListsService, RecordLinksService, RecordListsRepository],
})
export class RecordListsModule {}
