import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { SourceScan } from './source-scan.js';
import { SourceModule } from '../source/source.module.js';
import { PlaceScannerModule } from './place-scanner.module.js';

/** Looking at what the source holds; scans when told to. */
@Module({ imports: [SourceModule, PlaceScannerModule], providers: [SourceScan], exports: [SourceScan] })
export class ScanModule {}

/** The scan in the background, for processes that answer lists for a long time. */
@Module({ imports: [ScanModule] })
export class BackgroundScanModule implements OnApplicationBootstrap {
  constructor(private readonly scan: SourceScan) {}

  onApplicationBootstrap(): void {
    this.scan.start();
  }
}
