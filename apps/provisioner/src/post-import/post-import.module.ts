import { Module } from '@nestjs/common';
import { StorageModule } from '../storage/storage.module.js';
import { CatalogNotifier } from './catalog-notifier.js';
import { CollectionDescriber } from './collection-describer.js';
import { PostImportWorker } from './post-import.worker.js';
import { PostImportTasks } from './post-import-tasks.js';

@Module({
  imports: [StorageModule],
  providers: [PostImportTasks, CatalogNotifier, CollectionDescriber, PostImportWorker],
  exports: [PostImportTasks],
})
export class PostImportModule {}
