import { Module } from '@nestjs/common';
import { InventoryModule } from '../inventory/inventory.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { StorageRoomController } from '../storage/storage-room.controller.js';
import { QueueModule } from '../queue/queue.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { ImportAllModule } from './import-all.module.js';
import { ImportAllPlanner } from './import-all-plan.js';
import { ScheduleQueue } from './schedule-queue.js';
import { ScheduleController } from './schedule.controller.js';
import { ScheduleMetrics } from './schedule.metrics.js';

/** The HTTP interface of the schedule, and of the free space that imports can use. */
@Module({
  imports: [ImportAllModule, InventoryModule, LimitsModule, QueueModule, StorageModule],
  controllers: [ScheduleController, StorageRoomController],
  providers: [ImportAllPlanner, ScheduleMetrics, ScheduleQueue],
})
export class ScheduleModule {}
