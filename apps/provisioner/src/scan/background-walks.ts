import type { SourcePlace } from '../model/source-system.js';

/** Walks of the background at the same time. The declared file list of each is in memory during its walk. */
const walksAtOnce = 8;

/** The least pause after a walk, as a multiple of its duration. A large delivery that always changes takes a tenth of the time. */
const pauseFactor = 10;

/** The queue of background walks. */
export class BackgroundWalks {
  private readonly waiting = new Map<string, SourcePlace>();
  private readonly running = new Set<string>();
  /** The times before which places are not walked again, by key, in milliseconds since 1970. */
  private readonly pauses = new Map<string, number>();
  private drained: Promise<void> = Promise.resolve();
  private runners = 0;
  private isStopped = false;

  /**
   * @param walk walks a place; must not throw
   * @param leastPauseMs the shortest time between two walks of a place
   */
  constructor(
    private readonly walk: (place: SourcePlace) => Promise<void>,
    private readonly leastPauseMs: number,
  ) {}

  /** Whether a place may be walked now: it is not in the queue, and its pause is over. */
  mayWalk(key: string): boolean {
    return !this.waiting.has(key) && !this.running.has(key) && (this.pauses.get(key) ?? 0) <= Date.now();
  }

  /** Adds a place to the queue. */
  add(key: string, place: SourcePlace): void {
    this.waiting.set(key, place);
    if (this.runners >= walksAtOnce || this.isStopped) return;
    this.runners += 1;
    this.drained = Promise.all([this.drained, this.runAll()]).then(() => undefined);
  }

  /** Resolves when the queue is empty and every walk has ended. */
  settled(): Promise<void> {
    return this.drained;
  }

  /** Removes the waiting places. Walks in progress continue. */
  stop(): void {
    this.isStopped = true;
    this.waiting.clear();
  }

  /** Forgets the pauses that are over. */
  forgetPauses(): void {
    for (const [key, until] of this.pauses) if (until <= Date.now()) this.pauses.delete(key);
  }

  private async runAll(): Promise<void> {
    for (let next = this.take(); next; next = this.take()) {
      const [key, place] = next;
      const startedAt = performance.now();
      await this.walk(place);
      this.running.delete(key);
      this.pauses.set(key, Date.now() + Math.max(this.leastPauseMs, pauseFactor * (performance.now() - startedAt)));
    }
    this.runners -= 1;
  }

  private take(): readonly [string, SourcePlace] | undefined {
    const [next] = this.waiting;
    if (!next) return undefined;
    this.waiting.delete(next[0]);
    this.running.add(next[0]);
    return next;
  }
}
