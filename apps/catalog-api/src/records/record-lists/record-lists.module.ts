import { Module } from '@nestjs/common';
import { VisibilityModule } from '../../publishing/visibility/visibility.module.js';
import { TermsModule } from '../terms/terms.module.js';
import { RecordListsController } from './record-lists.controller.js';
import { RecordListsRepository } from './record-lists.repository.js';
import { RecordListsService } from './record-lists.service.js';
import { RecordSearch } from './record-search.js';

/** `/api/admin/projects`, `/api/admin/datasets` etc.: lists of records for the administration. */
@Module({
  imports: [VisibilityModule, TermsModule],
  controllers: [RecordListsController],
  providers: [RecordListsService, RecordListsRepository, RecordSearch],
  exports: [RecordListsService, RecordSearch],
})
export class RecordListsModule {}
