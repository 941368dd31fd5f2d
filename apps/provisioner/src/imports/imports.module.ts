import { Module } from '@nestjs/common';
import { CopyPool } from '../copy/copy-pool.js';
import { StreamPool } from '../copy/stream-pool.js';
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

/** Files on their way over a network, for each thread that would copy them between folders. */
const streamsPerThread = 2;

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
    {
      provide: StreamPool,
      inject: [ProvisionerSettings],
      useFactory: ({ COPY_THREADS }: ProvisionerSettings) => new StreamPool(COPY_THREADS * streamsPerThread),
    },
    ImportTools,
    ImportExecutor,
    ImportWorker,
    Reconciler,
  ],
})
export class ImportWorkerModule {}
