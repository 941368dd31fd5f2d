import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import { DelayedError, WaitingError, type Job, type Processor, type Worker } from 'bullmq';
import { waitAtMost } from '../concurrency/wait-at-most.js';
import {
  openImportWorker,
  openPlanWorker,
  openShardWorker,
  type ImportJob,
  type ShardJob,
} from '../queue/import-queue.js';
import { QueueOutages } from '../queue/queue-outages.js';
import { queueTelemetry } from '../queue/queue-telemetry.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import { ImportExecutor } from './import-executor.js';
import type { NextStep } from './next-step.js';
import { releasePauseMs } from './retry-pause.js';
import { Reconciler } from './reconciler.js';
import { RunFactory } from './run.factory.js';
import { ShardExecutor } from './shard-executor.js';
import { SourceWatch } from './source-watch.js';

/** The pause of a job whose state could not be read or written, for example because the storage is full. */
const pauseMs = 10_000;

/** Number of plans that run at once, in addition to imports. */
const concurrentPlans = 2;

/** Number of shards that run at once, in addition to imports: while one is flushed, another is copied. */
const concurrentShards = 2;

type JobWorker = Worker<ImportJob> | Worker<ShardJob>;

/** The worker of the queues of imports, plans and shards: passes jobs to the executor, and requeues them when the process stops. */
@Injectable()
export class ImportWorker implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ImportWorker.name);
  private readonly outages = new OutageLog('executing imports', this.logger);
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private workers: readonly JobWorker[] = [];
  private watch: SourceWatch | null = null;

  constructor(
    private readonly executor: ImportExecutor,
    private readonly runs: RunFactory,
    private readonly settings: ProvisionerSettings,
    private readonly reconciler: Reconciler,
    private readonly queueOutages: QueueOutages,
    private readonly shards: ShardExecutor,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { QUEUE_URL, IMPORT_CONCURRENCY } = this.settings;
    const telemetry = await queueTelemetry();
    const processor: Processor<ImportJob | ShardJob> = (job, token, signal) =>
      this.processTracked(job, token ?? '', signal);
    const traced = telemetry && { telemetry };
    this.workers = [
      openImportWorker(QUEUE_URL, processor, { concurrency: IMPORT_CONCURRENCY, ...traced }),
      openPlanWorker(QUEUE_URL, processor, { concurrency: concurrentPlans, ...traced }),
      openShardWorker(QUEUE_URL, processor, { concurrency: concurrentShards, ...traced }),
    ];
    for (const worker of this.workers) this.observe(worker);
    for (const worker of this.workers) await worker.waitUntilReady();
    this.watch = new SourceWatch(this.runs.sourceGate, this.workers, this.logger);
    this.watch.start();
  }

  private observe(worker: JobWorker): void {
    worker.on('error', (error) => {
      this.queueOutages.failed(error);
    });
    worker.on('failed', (job, error) => {
      this.logger.error(`job failed: job=${job?.id ?? ''}: ${error.stack ?? error.message}`);
    });
    // After the loss of its lock a job may have another owner, so this process stops it.
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id, 'the lock of the job was lost');
      this.reconciler.runNow();
    });
    worker.on('ready', () => {
      this.reconciler.runNow();
    });
  }

  /** Requeues the running jobs, and then closes the workers. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort(new Error('The worker stops.'));
    await this.watch?.stop();
    const closing = Promise.all(this.workers.map((worker) => worker.close()));
    await Promise.allSettled(this.running);
    await waitAtMost(closing);
    await this.runs.close();
  }

  private processTracked(job: Job<ImportJob | ShardJob>, token: string, lockSignal?: AbortSignal): Promise<void> {
    const processing = this.process(job, token, lockSignal).finally(() => this.running.delete(processing));
    this.running.add(processing);
    return processing;
  }

  /**
   * Executes a job. If the queue is unreachable, the new state of the job may not be recorded. The queue recovers the job
   * when its lock expires.
   */
  private async process(job: Job<ImportJob | ShardJob>, token: string, lockSignal?: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([this.stopping.signal, ...(lockSignal ? [lockSignal] : [])]);
    try {
      const next = await this.execute(job.data, signal);
      this.outages.succeeded();
      if (next.step === 'done') return;
      await waitAtMost(job.moveToDelayed(Date.now() + next.afterMs, token));
    } catch (error) {
      if (this.stopping.signal.aborted) {
        await waitAtMost(job.moveToWait(token));
        throw new WaitingError();
      }
      if (lockSignal?.aborted === true) throw error;
      this.outages.failed(error);
      await waitAtMost(job.moveToDelayed(Date.now() + pauseMs, token));
    }
    throw new DelayedError();
  }

  /** Executes a job, unless this worker does not see the source. */
  private async execute(job: ImportJob | ShardJob, signal: AbortSignal): Promise<NextStep> {
    if ((await this.watch?.look()) === false) return { step: 'release', afterMs: releasePauseMs };
    const { import_id, attempt } = job;
    const next =
      'shard' in job ? await this.shards.execute(job, signal) : await this.executor.execute(import_id, attempt, signal);
    if (next.step === 'release') await this.watch?.look();
    return next;
  }
}
