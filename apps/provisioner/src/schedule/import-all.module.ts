import { Module } from '@nestjs/common';
import { FixityModule } from '../fixity/fixity.module.js';
import { FixityRound } from './fixity-round.js';
import { ImportRequestsModule } from '../imports/import-requests.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { ScanModule } from '../scan/scan.module.js';
import { SourceModule } from '../source/source.module.js';
import { RequestLogModule } from '../request-log/request-log.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { ImportAll } from './import-all.js';
import { ImportSchedule } from './import-schedule.js';
import { PurgeRound } from './purge-round.js';
import { ScheduleWorker } from './schedule.worker.js';

/** The imports of the whole diff and the periodic verifications. */
@Module({
  imports: [FixityModule, SourceModule, ScanModule, RequestLogModule, StorageModule, ImportRequestsModule],
  providers: [ImportAll, ImportSchedule, FixityRound, PurgeRound],
  exports: [ImportAll, ImportSchedule, FixityRound, PurgeRound],
})
export class ImportAllModule {}

/** The execution of the schedule in a worker. */
@Module({ imports: [ImportAllModule, QueueModule], providers: [ScheduleWorker] })
export class ScheduleWorkerModule {}
