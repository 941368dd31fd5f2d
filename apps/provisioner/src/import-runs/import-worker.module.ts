import { Module } from '@nestjs/common';
import { CopyingWorkers } from '../copy/copying-workers.js';
import { CopyPool } from '../copy/copy-pool.js';
import { RateLimit } from '../copy/process-rate-limit.js';
import { StreamPool } from '../copy/stream-pool.js';
import { FileCheckers } from '../fixity/file-checkers.js';
import { FixityModule } from '../fixity/fixity.module.js';
import { PostImportModule } from '../post-import/post-import.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { SourceModule } from '../source/source.module.js';
import { PlaceScannerModule } from '../scan/place-scanner.module.js';
import { Records } from '../model/records.js';
import { RequestLogModule } from '../request-log/request-log.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { CopierFactory } from './copier.factory.js';
import { DatasetCopies } from './dataset-copies.js';
import { EndingReporter } from './ending-reporter.js';
import { ImportMetrics } from './import.metrics.js';
import { ImportExecutor } from './import-executor.js';
import { ImportWorker } from './import.worker.js';
import { Reconciler } from './reconciler.js';
import { RunFactory } from './run.factory.js';
import { ShardExecutor } from './shard-executor.js';
import { StoredChanges } from './stored-changes.js';
import { Sweeper } from './sweeper.js';

/** The execution of imports in a worker. */
@Module({
  imports: [
    FixityModule,
    SourceModule,
    PlaceScannerModule,
    RequestLogModule,
    StorageModule,
    QueueModule,
    PostImportModule,
  ],
  providers: [
    {
      provide: RateLimit,
      inject: [ProvisionerSettings, Records],
      useFactory: ({ COPY_RATE_LIMIT, COPY_RATE_LIMIT_TOTAL }: ProvisionerSettings, records: Records) =>
        new RateLimit(COPY_RATE_LIMIT, { changes: COPY_RATE_LIMIT_TOTAL, workers: new CopyingWorkers(records) }),
    },
    {
      provide: CopyPool,
      inject: [ProvisionerSettings, RateLimit],
      useFactory: ({ COPY_THREADS }: ProvisionerSettings, limit: RateLimit) => new CopyPool(COPY_THREADS, limit),
    },
    {
      provide: StreamPool,
      inject: [ProvisionerSettings, RateLimit],
      useFactory: ({ COPY_THREADS }: ProvisionerSettings, limit: RateLimit) => new StreamPool(COPY_THREADS, limit),
    },
    FileCheckers,
    CopierFactory,
    DatasetCopies,
    RunFactory,
    StoredChanges,
    EndingReporter,
    ImportMetrics,
    ImportExecutor,
    ShardExecutor,
    ImportWorker,
    Reconciler,
    Sweeper,
  ],
})
export class ImportWorkerModule {}
