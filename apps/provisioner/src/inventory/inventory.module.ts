import { Module } from '@nestjs/common';
import { ScanModule } from '../scan/scan.module.js';
import { SourceModule } from '../source/source.module.js';
import { RequestLogModule } from '../request-log/request-log.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { Inventory } from './inventory.js';

@Module({
  imports: [SourceModule, ScanModule, RequestLogModule, StorageModule],
  providers: [Inventory],
  exports: [Inventory],
})
export class InventoryModule {}
