import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import { CatalogNotifier } from './catalog-notifier.js';
import { CollectionDescriber } from './collection-describer.js';
import { PostImportTasks } from './post-import-tasks.js';
import { TaskLoop } from './task-loop.js';

/** The worker of the tasks after imports. It performs them at once, and retries failed tasks with growing pauses. */
@Injectable()
export class PostImportWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PostImportWorker.name);
  private readonly loops: readonly TaskLoop[];

  constructor(tasks: PostImportTasks, catalog: CatalogNotifier, collections: CollectionDescriber) {
    this.loops = [
      new TaskLoop(() => catalog.notifyPending(), new OutageLog('notifying the catalog', this.logger)),
      new TaskLoop(() => collections.describePending(), new OutageLog('describing collections', this.logger)),
    ];
    tasks.onRecorded(() => {
      for (const loop of this.loops) loop.runSoon();
    });
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }
}
