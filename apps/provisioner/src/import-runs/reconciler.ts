import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import { ImportQueue } from '../queue/import-queue.js';
import { RequestLog } from '../model/request-log.js';
import { PeriodicTask } from '../concurrency/periodic-task.js';

const everyMs = 60_000;

/** Asks the queue again for whatever is open in the log, so that a lost queue loses nothing. */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly outages = new OutageLog('comparing the log with the queue', new Logger(Reconciler.name));
  private readonly rounds = new PeriodicTask(
    () => this.reconcile(),
    everyMs,
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
    this.rounds.start(everyMs);
  }

  /** Compares now and not only at the next minute: the queue may have been lost. */
  runNow(): void {
    this.rounds.runNow();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  /** Queues every open request; those that have a job keep it. */
  private async reconcile(): Promise<void> {
    const open = await this.log.listOpen();
    if (open.length > 0) await this.queue.addAll(open);
    this.outages.succeeded();
  }
}
