import { Module } from '@nestjs/common';
import { PermissionsController } from './permissions.controller.js';
import { PermissionsRepository } from './permissions.repository.js';
import { PermissionsService } from './permissions.service.js';

/** Who may use which dataset. */
@Module({ controllers: [PermissionsController], providers: [PermissionsService, PermissionsRepository] })
export class PermissionsModule {}
