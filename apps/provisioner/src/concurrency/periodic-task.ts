import { waitAtMost } from './wait-at-most.js';

/**
 * Work that is done again and again, never twice at once: so long after it has ended, or as soon as it may when
 * somebody hurries it.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private isHurried = false;
  private isStarted = false;
  private isStopped = false;

  /** @param work may reject: `warn` is told why, and the next round comes as if it had not */
  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly everyMs: number,
    private readonly warn: (error: unknown) => void,
  ) {}

  /** @param afterMs until the first round */
  start(afterMs = 0): void {
    this.isStarted = true;
    this.schedule(this.isHurried ? 0 : afterMs);
  }

  /** Begins a round now; where one is under way, another after it. Before the start it is remembered. */
  runNow(): void {
    this.isHurried = true;
    if (this.isStarted && !this.running) this.schedule(0);
  }

  /** Begins no round any more, and waits for the one under way, but not for long. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    if (this.running) await waitAtMost(this.running);
  }

  private schedule(afterMs: number): void {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.isHurried = false;
      this.running = this.work()
        .then(() => undefined, this.warn)
        .finally(() => {
          this.running = null;
          this.schedule(this.isHurried ? 0 : this.everyMs);
        });
    }, afterMs);
  }
}
