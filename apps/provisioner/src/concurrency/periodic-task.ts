import { waitAtMost } from './wait-at-most.js';

/**
 * A task that runs repeatedly and never concurrently with itself: `everyMs` after the end of the previous run, or
 * immediately after `runNow`.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private isRunRequested = false;
  private isStarted = false;
  private isStopped = false;

  /**
   * @param onFailure called with the error when a run fails. The next run takes place as usual.
   */
  constructor(
    private readonly run: () => Promise<unknown>,
    private readonly everyMs: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Starts the task. @param afterMs the delay before the first run */
  start(afterMs = 0): void {
    this.isStarted = true;
    this.schedule(this.isRunRequested ? 0 : afterMs);
  }

  /**
   * Runs the task immediately; if a run is in progress, directly after that run. Before `start`, the request is kept
   * until then.
   */
  runNow(): void {
    this.isRunRequested = true;
    if (this.isStarted && !this.running) this.schedule(0);
  }

  /** Prevents further runs and waits up to five seconds for the run in progress. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    if (this.running) await waitAtMost(this.running);
  }

  private schedule(afterMs: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.isRunRequested = false;
      this.running = this.run()
        .then(() => undefined, this.onFailure)
        .finally(() => {
          this.running = null;
          this.schedule(this.isRunRequested ? 0 : this.everyMs);
        });
    }, afterMs);
  }
}
