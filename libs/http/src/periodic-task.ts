/**
 * A background task that runs repeatedly, but never concurrently with itself. A run starts `everyMs` after the end of
 * the previous run, or immediately after `runNow`.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private isRunRequested = false;
  private isStarted = false;
  private isStopping = false;

  /** @param onFailure called with the error of a failed run; the next run takes place as usual */
  constructor(
    private readonly run: () => Promise<unknown>,
    private readonly everyMs: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Whether a run is in progress. */
  get isRunning(): boolean {
    return this.running !== null;
  }

  /** Whether `stop` was called. A long run may check this flag to end early. */
  get isStopped(): boolean {
    return this.isStopping;
  }

  /** Starts the task. @param afterMs the delay before the first run */
  start(afterMs = 0): void {
    this.isStarted = true;
    this.schedule(this.isRunRequested ? 0 : afterMs);
  }

  /**
   * Starts a run immediately or, if one is in progress, directly after that run. Before `start`, only removes the delay
   * of the first run.
   */
  runNow(): void {
    this.isRunRequested = true;
    if (this.isStarted && !this.running) this.schedule(0);
  }

  /** Prevents further runs. Resolves when the run in progress has ended. May be called repeatedly. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(afterMs: number): void {
    clearTimeout(this.timer);
    if (this.isStopping) return;
    this.timer = setTimeout(() => {
      this.isRunRequested = false;
      this.running = this.runOnce();
    }, afterMs);
  }

  private async runOnce(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.onFailure(error);
    }
    this.running = null;
    this.schedule(this.isRunRequested ? 0 : this.everyMs);
  }
}
