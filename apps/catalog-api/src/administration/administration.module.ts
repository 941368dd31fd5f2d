import { Module } from '@nestjs/common';
import { EndpointsAdminModule } from '../endpoints/endpoints-admin.module.js';
import { UsersAdminModule } from '../users/users-admin.module.js';

/** What administrators work with, under `/api/admin`. */
@Module({ imports: [UsersAdminModule, EndpointsAdminModule] })
export class AdministrationModule {}
