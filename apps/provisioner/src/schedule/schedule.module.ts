import { Module } from '@nestjs/common';
import { FixityLog } from '../fixity/fixity-log.js';
import { FixityRound } from '../fixity/fixity-round.js';
import { ImportRequestsModule } from '../imports/imports.module.js';
import { SourceModule } from '../source/source.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { InventoryModule } from '../inventory/inventory.module.js';
import { StorageRoomController } from '../storage/storage-room.controller.js';
import { ImportAllPlanner } from './import-all-plan.js';
import { ImportAll } from './import-all.js';
import { ImportSchedule } from './import-schedule.js';
import { ScheduleQueue } from './schedule-queue.js';
import { ScheduleController } from './schedule.controller.js';
import { ScheduleMetrics } from './schedule.metrics.js';
import { ScheduleWorker } from './schedule.worker.js';

/** Importing everything in the diff, and verifying everything that is imported. */
@Module({
  imports: [SourceModule, StorageModule, ImportRequestsModule],
  providers: [ImportAll, ImportSchedule, FixityLog, FixityRound],
  exports: [ImportAll, ImportSchedule, FixityRound],
})
export class ImportAllModule {}

/** The same over HTTP, with what room there is for it. */
@Module({
  imports: [ImportAllModule, InventoryModule, StorageModule],
  controllers: [ScheduleController, StorageRoomController],
  providers: [ImportAllPlanner, ScheduleMetrics, ScheduleQueue],
})
export class ScheduleModule {}

/** The same when the schedule says so. */
@Module({ imports: [ImportAllModule], providers: [ScheduleWorker] })
export class ScheduleWorkerModule {}
