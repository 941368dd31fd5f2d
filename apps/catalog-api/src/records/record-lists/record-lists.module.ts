import { Module } from '@nestjs/common';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { RecordLinksController } from './record-links.controller.js';
import { RecordLinksService } from './record-links.service.js';
import { TermsModule } from '../terms/terms.module.js';
import { RecordListsController } from './record-lists.controller.js';
import { RecordListsRepository } from './record-lists.repository.js';
import { RecordListsService } from './record-lists.service.js';
import { RecordSearch } from './record-search.js';

/** `/api/admin/projects`, `/api/admin/datasets` etc.: lists of records for the administration, and the links between records. */
@Module({
  imports: [VisibilityModule, TermsModule],
  controllers: [RecordListsController, RecordLinksController],
  providers: [RecordListsService, RecordLinksService, RecordListsRepository, RecordSearch],
  exports: [RecordListsService, RecordSearch],
})
export class RecordListsModule {}
