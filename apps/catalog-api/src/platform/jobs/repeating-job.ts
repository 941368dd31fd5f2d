import { Logger } from '@nestjs/common';
import { OutageLog } from '@rdc/http';
import { setTimeout as pause } from 'node:timers/promises';

/** Work that is done again and again in the background, with a rest between; a failure only costs one round. */
export class RepeatingJob {
  private readonly outages: OutageLog;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /** @param name of the job, for the log */
  constructor(
    name: string,
    private readonly restMs: number,
    private readonly work: () => Promise<void>,
  ) {
    this.outages = new OutageLog('a round of work', new Logger(name));
  }

  start(): void {
    this.running = this.run();
  }

  /** Resolves when the round that runs is done; no other begins. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.work();
        this.outages.succeeded();
      } catch (error) {
        this.outages.failed(error);
      }
      await pause(this.restMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
