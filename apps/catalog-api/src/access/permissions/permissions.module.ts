import { Module } from '@nestjs/common';
import { PermissionsController } from './permissions.controller.js';
import { PermissionsRepository } from './permissions.repository.js';
import { PermissionsService } from './permissions.service.js';

/** The datasets that a person may use. */
@Module({ controllers: [PermissionsController], providers: [PermissionsService, PermissionsRepository] })
export class PermissionsModule {}
