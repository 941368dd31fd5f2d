import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import type { Job, Queue, Worker } from 'bullmq';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import { openQueue, openWorker } from '../queue/backend.js';
import { QueueOutages } from '../queue/queue-outages.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { FixityRound } from './fixity-round.js';
import { ImportAll } from './import-all.js';
import { ImportSchedule } from './import-schedule.js';
import { removeWhenDone, scheduleQueueName, type ScheduledJob } from './schedule-queue.js';

const importAll = 'import-all';
const fixityRound = 'fixity-round';

/** How often it is looked whether a verification is due. */
const fixityEveryMs = 60_000;

/** How soon workers follow a change, or find an emptied queue. */
const keepEveryMs = 10_000;

/**
 * Imports everything in the diff when the schedule says so, and asks for verifications that are due: the queue makes one job for each time, whatever the number
 * of workers. The queue is told again what storage says at the start and every few seconds, as it may have been emptied.
 */
@Injectable()
export class ScheduleWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ScheduleWorker.name);
  private readonly outages = new OutageLog('telling the queue the schedule', this.logger);
  private readonly queue: Queue<ScheduledJob>;
  private worker: Worker<ScheduledJob> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private keeping: Promise<void> = Promise.resolve();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly schedule: ImportSchedule,
    private readonly all: ImportAll,
    private readonly fixity: FixityRound,
    private readonly settings: ProvisionerSettings,
    private readonly queueOutages: QueueOutages,
  ) {
    this.queue = openQueue(scheduleQueueName, settings.QUEUE_URL);
  }

  async onApplicationBootstrap(): Promise<void> {
    const note = (error: Error): void => {
      this.queueOutages.failed(error);
    };
    this.queue.on('error', note);
    await this.queue.waitUntilReady();
    this.worker = openWorker(scheduleQueueName, this.settings.QUEUE_URL, (job) => (this.running = this.process(job)), {
      concurrency: 1,
    });
    this.worker.on('error', note);
    this.worker.on('failed', (_, { message }) => {
      this.logger.warn(`A run failed; what it has queued stays queued. ${message}`);
    });
    this.keep();
    this.timer = setInterval(() => {
      this.keep();
    }, keepEveryMs);
  }

  /** Waits for the run under way, but not for long: what it has not queued, the next one queues. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    const closing = this.worker?.close() ?? Promise.resolve();
    await Promise.all([waitAtMost(this.keeping), waitAtMost(this.running), waitAtMost(closing)]);
    await waitAtMost(this.queue.close());
  }

  private keep(): void {
    this.keeping = this.keeping
      .then(() => this.tellQueue())
      .catch((error: unknown) => {
        this.outages.failed(error);
      });
  }

  private async tellQueue(): Promise<void> {
    await Promise.all([this.tellOfImports(), this.tellOfVerifications()]);
    this.outages.succeeded();
  }

  private async tellOfImports(): Promise<void> {
    const [{ cron }, told] = await Promise.all([this.schedule.rule(), this.queue.getJobScheduler(importAll)]);
    if ((told?.pattern ?? null) === cron) return;
    if (cron === null) await this.queue.removeJobScheduler(importAll);
    else {
      const template = { name: importAll, data: { cron }, opts: removeWhenDone };
      await this.queue.upsertJobScheduler(importAll, { pattern: cron, tz: 'UTC' }, template);
    }
  }

  private async tellOfVerifications(): Promise<void> {
    const isWanted = this.settings.FIXITY_DAYS !== undefined;
    if (Boolean(await this.queue.getJobScheduler(fixityRound)) === isWanted) return;
    if (!isWanted) await this.queue.removeJobScheduler(fixityRound);
    else {
      const template = { name: fixityRound, data: {}, opts: removeWhenDone };
      await this.queue.upsertJobScheduler(fixityRound, { every: fixityEveryMs }, template);
    }
  }

  private async process({ name, data }: Job<ScheduledJob>): Promise<void> {
    if (name === fixityRound) {
      await this.fixity.run();
      return;
    }
    if (data.asked) {
      const { id, ...asking } = data.asked;
      await this.all.run('request', asking, id);
      return;
    }
    const { cron } = await this.schedule.rule();
    if (cron !== data.cron) return;
    await this.all.run('schedule', { requested_by: 'schedule', requested_from: 'schedule' });
  }
}
