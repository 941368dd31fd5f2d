import type { OutageLog } from '@rdc/http';
import { AsyncLocalStorage } from 'node:async_hooks';
import { waitAtMost } from '../concurrency/wait-at-most.js';

/** The delay after which tasks that were recorded together are performed together. */
const gatherMs = 300;

/** The interval at which tasks of killed processes are found. */
const sweepMs = 60_000;

const firstPauseMs = 1_000;

/** A loop of one kind of work, which never runs twice at the same time. After a failure it pauses even if triggered. */
export class TaskLoop {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private isStopped = false;
  private isTriggered = false;
  private failures = 0;
  private nextMs = sweepMs;
  /** Separates the work from the trace of the import that triggers it. */
  private readonly detached = AsyncLocalStorage.snapshot();

  /** @param work returns the time until it must run again, in milliseconds */
  constructor(
    private readonly work: () => Promise<number>,
    private readonly outages: OutageLog,
  ) {}

  start(): void {
    this.schedule(0);
  }

  /** Runs the work after a short delay, or after the running work. */
  runSoon(): void {
    this.isTriggered = true;
    if (this.running === null && this.failures === 0) this.detached(this.schedule.bind(this), gatherMs);
  }

  /** Stops the loop, and waits for the running work for a limited time, because it may notify of many datasets. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    if (this.running) await waitAtMost(this.running);
  }

  private schedule(afterMs: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run().finally(() => {
        this.running = null;
        this.schedule(this.pauseMs());
      });
    }, afterMs);
  }

  private async run(): Promise<void> {
    this.isTriggered = false;
    try {
      this.nextMs = await this.work();
      this.failures = 0;
      this.outages.succeeded();
    } catch (error) {
      this.failures += 1;
      this.outages.failed(error);
    }
  }

  private pauseMs(): number {
    if (this.failures > 0) return Math.min(sweepMs, firstPauseMs * 2 ** (this.failures - 1));
    return this.isTriggered ? gatherMs : Math.min(sweepMs, this.nextMs);
  }
}
