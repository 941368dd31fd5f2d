import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { SourceModule } from '../source/source.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { PlaceScannerModule } from './place-scanner.module.js';
import { PlaceWalks } from './place-walks.js';
import { ScanLease } from './scan-lease.js';
import { ScanRounds } from './scan-rounds.js';
import { SourceScan } from './source-scan.js';

/** The scan of the source, on request. */
@Module({
  imports: [SourceModule, StorageModule, PlaceScannerModule],
  providers: [PlaceWalks, SourceScan, ScanLease, ScanRounds],
  exports: [SourceScan, ScanRounds],
})
export class ScanModule {}

/** The periodic scan of the source, for processes that serve lists. */
@Module({ imports: [ScanModule] })
export class BackgroundScanModule implements OnApplicationBootstrap {
  constructor(private readonly rounds: ScanRounds) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }
}
