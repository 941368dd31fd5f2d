import { Module } from '@nestjs/common';
import { OverviewController } from './overview.controller.js';
import { OverviewRepository } from './overview.repository.js';
import { OverviewService } from './overview.service.js';

/** `/api/admin/overview`. */
@Module({ controllers: [OverviewController], providers: [OverviewService, OverviewRepository] })
export class OverviewModule {}
