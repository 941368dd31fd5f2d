import { Logger } from '@nestjs/common';
import { OutageLog, PeriodicTask } from '@rdc/http';

/** A background task that runs repeatedly, with a pause after each run. After a failed run, the task continues. */
export class RepeatingJob {
  private readonly outages: OutageLog;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /** @param name the name of the task in the log @param restMs the pause between two runs */
  constructor(
    name: string,
    private readonly restMs: number,
    private readonly work: () => Promise<void>,
  ) {
    this.outages = new OutageLog('background task', new Logger(name));
  }

  start(): void {
    this.running = this.run();
  }

  /** Prevents further runs. Resolves when the current run has ended. */
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
