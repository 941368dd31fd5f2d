import { Module } from '@nestjs/common';
import { OverviewController } from './overview.controller.js';
import { OverviewRepository } from './overview.repository.js';
import { OverviewService } from './overview.service.js';

/** The catalog in numbers. */
@Module({ controllers: [OverviewController], providers: [OverviewService, OverviewRepository] })
export class OverviewModule {}
