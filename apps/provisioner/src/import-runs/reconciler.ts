import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog, PeriodicTask } from '@rdc/http';
import { ImportQueue } from '../queue/import-queue.js';
import { RequestLog } from '../model/request-log.js';
import { waitAtMost } from '../concurrency/wait-at-most.js';

const intervalMs = 60_000;

/** A periodic task that queues every open request of the log, so that the loss of the queue loses no import. */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly outages = new OutageLog('queueing open requests', new Logger(Reconciler.name));
  private readonly task = new PeriodicTask(
    () => this.reconcile(),
    intervalMs,
    (error) => {
      this.outages.failed(error);
    },
  );

  constructor(
    private readonly log: RequestLog,
    private readonly queue: ImportQueue,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.reconcile();
    this.task.start(intervalMs);
  }

  /** Queues the open requests now, for example because the queue may have been lost. */
  runNow(): void {
    this.task.runNow();
  }

  async onApplicationShutdown(): Promise<void> {
    await waitAtMost(this.task.stop());
  }

  /** Queues every open request. Requests with a job keep the job. */
  private async reconcile(): Promise<void> {
    const open = await this.log.listOpen();
    if (open.length > 0) await this.queue.addAll(open);
    this.outages.succeeded();
  }
}
