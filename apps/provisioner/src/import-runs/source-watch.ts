import { OutageLog, PeriodicTask } from '@rdc/http';
import type { Logger } from '@nestjs/common';
import type { Worker } from 'bullmq';
import type { SourceGate } from '../source/source-gate.js';

const intervalMs = 5_000;

/** A watch that pauses a worker while the worker does not see the source. Other workers then run the jobs. */
export class SourceWatch {
  private readonly outages: OutageLog;
  private readonly task: PeriodicTask;

  constructor(
    private readonly gate: SourceGate,
    private readonly worker: Pick<Worker, 'pause' | 'resume' | 'isPaused'>,
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

  /** Pauses the worker if it does not see the source, and otherwise resumes it. @returns whether it sees the source */
  async look(): Promise<boolean> {
    try {
      await this.gate.check();
    } catch (error) {
      this.outages.failed(error);
      if (!this.worker.isPaused()) await this.worker.pause(true);
      return false;
    }
    this.outages.succeeded();
    if (this.worker.isPaused() && !this.task.isStopped) await this.worker.resume();
    return true;
  }
}
