import { Module } from '@nestjs/common';
import { AccessesModule } from '../access/accesses/accesses.module.js';
import { CustodiansModule } from '../records/custodians/custodians.module.js';
import { EndpointsAdminModule } from '../access/endpoints/endpoints-admin.module.js';
import { GrantsAdminModule } from '../access/grants/grants-admin.module.js';
import { OverviewModule } from './overview/overview.module.js';
import { PlatformsAdminModule } from '../records/platforms/platforms-admin.module.js';
import { RecordListsModule } from '../records/record-lists/record-lists.module.js';
import { SearchModule } from '../records/search/search.module.js';
import { ServiceKeysModule } from '../access/service-keys/service-keys.module.js';
import { UseClassesModule } from '../records/use-classes/use-classes.module.js';
import { UsersAdminModule } from '../people/users-admin/users-admin.module.js';

/** The modules of the administration, under `/api/admin`. */
@Module({
  imports: [
    UsersAdminModule,
    EndpointsAdminModule,
    GrantsAdminModule,
    CustodiansModule,
    PlatformsAdminModule,
    UseClassesModule,
    AccessesModule,
    OverviewModule,
    RecordListsModule,
    SearchModule,
    ServiceKeysModule,
  ],
})
export class AdministrationModule {}
