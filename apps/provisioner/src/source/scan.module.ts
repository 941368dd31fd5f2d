import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { SourceScan } from './source-scan.js';
import { SourceModule } from './source.module.js';

/** Looking at what the source holds; scans when told to. */
@Module({ imports: [SourceModule, StorageModule], providers: [SourceScan], exports: [SourceScan] })
export class ScanModule {}

/** The scan in the background, for processes that answer lists for a long time. */
@Module({ imports: [ScanModule] })
export class BackgroundScanModule implements OnApplicationBootstrap {
  constructor(private readonly scan: SourceScan) {}

  onApplicationBootstrap(): void {
    this.scan.start();
  }
}
