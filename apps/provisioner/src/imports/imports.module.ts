import { Module } from '@nestjs/common';
import { CopyPool } from '../copy/copy-pool.js';
import { QueueModule } from '../queue/queue.module.js';
import { ProvisionerSettings } from '../settings.js';
import { ScanModule } from '../source/scan.module.js';
import { SourceModule } from '../source/source.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { ImportAnswer } from './import.answer.js';
import { ImportExecutor } from './import-executor.js';
import { ImportRequests } from './import-requests.js';
import { ImportTools } from './import-tools.js';
import { ImportWorker } from './import.worker.js';
import { ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';
import { Reconciler } from './reconciler.js';

/** Asking for imports and reading what becomes of them. */
@Module({
  imports: [SourceModule, StorageModule, QueueModule, ScanModule],
  controllers: [ImportsController],
  providers: [ImportRequests, ImportsService, ImportAnswer],
  exports: [ImportRequests, ImportsService, ImportAnswer],
})
export class ImportsModule {}

/** Running imports. */
@Module({
  imports: [SourceModule, StorageModule, QueueModule],
  providers: [
    {
      provide: CopyPool,
      inject: [ProvisionerSettings],
      useFactory: ({ COPY_THREADS }: ProvisionerSettings) => new CopyPool(COPY_THREADS),
    },
    ImportTools,
    ImportExecutor,
    ImportWorker,
    Reconciler,
  ],
})
export class ImportWorkerModule {}
