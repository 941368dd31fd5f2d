import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { SourceScan } from './source-scan.js';
import { SourceModule } from './source.module.js';

/** The background scan of the source; only the HTTP service needs it. */
@Module({ imports: [SourceModule, StorageModule], providers: [SourceScan], exports: [SourceScan] })
export class ScanModule {}
