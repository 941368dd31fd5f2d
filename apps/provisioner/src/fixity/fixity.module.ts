import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { FixityLog } from './fixity-log.js';

/** The log of verifications in the storage. */
@Module({ imports: [StorageModule], providers: [FixityLog], exports: [FixityLog] })
export class FixityModule {}
