import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { SourceScan } from './source-scan.js';
import { SourceModule } from '../source/source.module.js';
import { PlaceScannerModule } from './place-scanner.module.js';

/** The scan of the source, on request. */
@Module({ imports: [SourceModule, PlaceScannerModule], providers: [SourceScan], exports: [SourceScan] })
export class ScanModule {}

/** The periodic scan of the source, for processes that serve lists. */
@Module({ imports: [ScanModule] })
export class BackgroundScanModule implements OnApplicationBootstrap {
  constructor(private readonly scan: SourceScan) {}

  onApplicationBootstrap(): void {
    this.scan.start();
  }
}
