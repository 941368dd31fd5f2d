import { Module } from '@nestjs/common';
import { UsersAdminModule } from '../../people/users-admin/users-admin.module.js';
import { RecordListsModule } from '../record-lists/record-lists.module.js';
import { TermsModule } from '../terms/terms.module.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

/** `/api/admin/search`: one search over records, terms and people. */
@Module({
  imports: [RecordListsModule, TermsModule, UsersAdminModule],
  controllers: [SearchController],
  providers: [SearchService],
})
export class SearchModule {}
