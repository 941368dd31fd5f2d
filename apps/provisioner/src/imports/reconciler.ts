import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ImportQueue } from '../queue/import-queue.js';
import { RequestLog } from './request-log.js';

const everyMs = 60_000;

/** Asks the queue again for whatever is open in the log, so that a lost queue loses nothing. */
@Injectable()
export class Reconciler implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Reconciler.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: RequestLog,
    private readonly queue: ImportQueue,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.reconcile();
    this.timer = setInterval(() => {
      this.hurry();
    }, everyMs);
  }

  /** Compares now and not only at the next minute: the queue may have been lost. */
  hurry(): void {
    this.reconcile().catch((error: unknown) => {
      this.logger.warn(`could not compare the log with the queue: ${String(error)}`);
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Queues every open request; those that have a job keep it. */
  async reconcile(): Promise<void> {
    const open = await this.log.listOpen();
    if (open.length > 0) await this.queue.addAll(open);
  }
}
