import { Module } from '@nestjs/common';
import { QueueModule } from '../queue/queue.module.js';
import { ScanModule } from '../scan/scan.module.js';
import { SourceModule } from '../source/source.module.js';
import { RequestLogModule } from '../request-log/request-log.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { ImportRequests } from './import-requests.js';
import { KnownStateChecks } from './known-state-checks.js';
import { ImportsService } from './imports.service.js';
import { WatchedImports } from './watched-imports.js';

/** The submission and inspection of imports. */
@Module({
  imports: [SourceModule, RequestLogModule, StorageModule, QueueModule, ScanModule],
  providers: [ImportRequests, ImportsService, KnownStateChecks, WatchedImports],
  exports: [ImportRequests, ImportsService],
})
export class ImportRequestsModule {}
