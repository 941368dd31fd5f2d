import { Module } from '@nestjs/common';
import { AccessesModule } from '../accesses/accesses.module.js';
import { CustodiansModule } from '../custodians/custodians.module.js';
import { EndpointsAdminModule } from '../endpoints/endpoints-admin.module.js';
import { GrantsAdminModule } from '../grants/grants-admin.module.js';
import { OverviewModule } from '../overview/overview.module.js';
import { PlatformsAdminModule } from '../platforms/platforms-admin.module.js';
import { RecordListsModule } from '../record-lists/record-lists.module.js';
import { ServiceKeysModule } from '../service-keys/service-keys.module.js';
import { UsersAdminModule } from '../users/users-admin.module.js';

/** What administrators work with, under `/api/admin`; the audit trail comes with whoever writes. */
@Module({
  imports: [
    UsersAdminModule,
    EndpointsAdminModule,
    GrantsAdminModule,
    CustodiansModule,
    PlatformsAdminModule,
    AccessesModule,
    OverviewModule,
    RecordListsModule,
    ServiceKeysModule,
  ],
})
export class AdministrationModule {}
