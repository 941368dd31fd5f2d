import { Module } from '@nestjs/common';
import { ScanModule } from '../source/scan.module.js';
import { SourceModule } from '../source/source.module.js';
import { StorageModule } from '../storage/storage.module.js';
import { Inventory } from './inventory.js';

@Module({ imports: [SourceModule, ScanModule, StorageModule], providers: [Inventory], exports: [Inventory] })
export class InventoryModule {}
