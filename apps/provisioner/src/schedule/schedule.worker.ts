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
import { PurgeRound } from './purge-round.js';
import { removeWhenDone, scheduleQueueName, type ScheduledJob } from './schedule-queue.js';

const importAll = 'import-all';
const fixityRound = 'fixity-round';
const purgeRound = 'purge-round';

/** The interval at which due verifications are submitted. */
const fixityIntervalMs = 60_000;

/** The interval at which due purges are submitted. */
const purgeIntervalMs = 60 * 60_000;

/** The interval at which the queue is updated, so that workers apply a change or restore an emptied queue. */
const updateIntervalMs = 10_000;

/**
 * The worker of the schedule: runs the scheduled and requested imports of the whole diff, and submits due verifications
 * and purges.
 * The queue creates one job for each scheduled time, independent of the number of workers. The worker updates the queue
 * from the storage every few seconds, because the queue may have been emptied.
 */
@Injectable()
export class ScheduleWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ScheduleWorker.name);
  private readonly outages = new OutageLog('updating the schedule in the queue', this.logger);
  private readonly queue: Queue<ScheduledJob>;
  private worker: Worker<ScheduledJob> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private updating: Promise<void> = Promise.resolve();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly schedule: ImportSchedule,
    private readonly all: ImportAll,
    private readonly fixity: FixityRound,
    private readonly purges: PurgeRound,
    private readonly settings: ProvisionerSettings,
    private readonly queueOutages: QueueOutages,
  ) {
    this.queue = openQueue(scheduleQueueName, settings.QUEUE_URL);
  }

  async onApplicationBootstrap(): Promise<void> {
    const report = (error: Error): void => {
      this.queueOutages.failed(error);
    };
    this.queue.on('error', report);
    await this.queue.waitUntilReady();
    this.worker = openWorker(scheduleQueueName, this.settings.QUEUE_URL, (job) => (this.running = this.process(job)), {
      concurrency: 1,
    });
    this.worker.on('error', report);
    this.worker.on('failed', (_, { message }) => {
      this.logger.warn(`run failed: ${message} (its queued imports stay queued)`);
    });
    this.update();
    this.timer = setInterval(() => {
      this.update();
    }, updateIntervalMs);
  }

  /** Waits for the current run for a limited time. The next run queues the rest. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    const closing = this.worker?.close() ?? Promise.resolve();
    await Promise.all([waitAtMost(this.updating), waitAtMost(this.running), waitAtMost(closing)]);
    await waitAtMost(this.queue.close());
  }

  private update(): void {
    this.updating = this.updating
      .then(() => this.updateQueue())
      .catch((error: unknown) => {
        this.outages.failed(error);
      });
  }

  private async updateQueue(): Promise<void> {
    const { FIXITY_DAYS, PURGE_WITHDRAWN_DAYS } = this.settings;
    await Promise.all([
      this.updateImports(),
      this.updateRound(fixityRound, FIXITY_DAYS !== undefined, fixityIntervalMs),
      this.updateRound(purgeRound, PURGE_WITHDRAWN_DAYS !== undefined, purgeIntervalMs),
    ]);
    this.outages.succeeded();
  }

  private async updateImports(): Promise<void> {
    const [{ cron }, scheduler] = await Promise.all([this.schedule.rule(), this.queue.getJobScheduler(importAll)]);
    if ((scheduler?.pattern ?? null) === cron) return;
    if (cron === null) await this.queue.removeJobScheduler(importAll);
    else {
      const template = { name: importAll, data: { cron }, opts: removeWhenDone };
      await this.queue.upsertJobScheduler(importAll, { pattern: cron, tz: 'UTC' }, template);
    }
  }

  /** Adds or removes the repeated job of a round. */
  private async updateRound(name: string, isEnabled: boolean, every: number): Promise<void> {
    if (Boolean(await this.queue.getJobScheduler(name)) === isEnabled) return;
    if (!isEnabled) await this.queue.removeJobScheduler(name);
    else await this.queue.upsertJobScheduler(name, { every }, { name, data: {}, opts: removeWhenDone });
  }

  private async process({ name, data }: Job<ScheduledJob>): Promise<void> {
    if (name === fixityRound) return this.fixity.run();
    if (name === purgeRound) return this.purges.run();
    if (data.asked) {
      const { id, ...options } = data.asked;
      await this.all.run('request', options, id);
      return;
    }
    const { cron } = await this.schedule.rule();
    if (cron !== data.cron) return;
    await this.all.run('schedule', { requested_by: 'schedule', requested_from: 'schedule' });
  }
}
