import { OutageLog, PeriodicTask } from '@rdc/http';
import type { Logger } from '@nestjs/common';
import type { Worker } from 'bullmq';
import type { SourceGate } from '../source/source-gate.js';

const intervalMs = 5_000;

/** A watch that pauses the workers of this process while the process does not see the source. Others then run the jobs. */
export class SourceWatch {
  private readonly outages: OutageLog;
  private readonly task: PeriodicTask;

  constructor(
    private readonly gate: SourceGate,
    private readonly workers: readonly Pick<Worker, 'pause' | 'resume' | 'isPaused'>[],
    logger: Logger,
  ) {
    this.outages = new OutageLog('reading the source', logger);
    this.task = new PeriodicTask(
      () => this.look(),
      intervalMs,
      (error) => {
        this.outages.failed(error);
      },
    );
  }

  start(): void {
    this.task.start(intervalMs);
  }

  stop(): Promise<void> {
    return this.task.stop();
  }

  /** Pauses the workers if the source is not seen, and otherwise resumes them. @returns whether the source is seen */
  async look(): Promise<boolean> {
    try {
      await this.gate.check();
    } catch (error) {
      this.outages.failed(error);
      for (const worker of this.workers) if (!worker.isPaused()) await worker.pause(true);
      return false;
    }
    this.outages.succeeded();
    for (const worker of this.workers) if (worker.isPaused() && !this.task.isStopped) await worker.resume();
    return true;
  }
}
