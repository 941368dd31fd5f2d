import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { CatalogTeller } from './catalog-teller.js';
import { CollectionDescriber } from './collection-describer.js';
import { FollowUpWorker } from './follow-up.worker.js';
import { FollowUps } from './follow-ups.js';

/** What is left to do after imports. */
@Module({
  imports: [StorageModule],
  providers: [FollowUps, CatalogTeller, CollectionDescriber, FollowUpWorker],
  exports: [FollowUps],
})
export class FollowUpsModule {}
