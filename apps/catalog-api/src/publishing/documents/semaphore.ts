/** The limit of the time for which a caller waits for a permit. */
export interface AcquireTimeout {
  /** A waiting caller fails if no permit is released for this time. */
  readonly ms: number;
  readonly timeoutError: () => Error;
}

/**
 * A semaphore for operations that hold a database connection for a long time, such as streaming a whole list. Waiting
 * callers acquire permits in the order of their calls. The timeout of all waiting callers restarts with each release,
 * so that only operations without progress make callers fail.
 */
export class Semaphore {
  private readonly waiting: { readonly resolve: () => void; readonly timer: NodeJS.Timeout }[] = [];

  constructor(
    private permits: number,
    private readonly timeout: AcquireTimeout,
  ) {}

  /** Acquires a permit and returns its idempotent release function. @throws the timeout error */
  async acquire(): Promise<() => void> {
    if (this.permits > 0) this.permits--;
    else await this.nextPermit();
    let isHeld = true;
    return () => {
      if (isHeld) this.release();
      isHeld = false;
    };
  }

  private nextPermit(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const at = this.waiting.findIndex((each) => each.timer === timer);
        this.waiting.splice(at, 1);
        reject(this.timeout.timeoutError());
      }, this.timeout.ms);
      this.waiting.push({ resolve, timer });
    });
  }

  private release(): void {
    const next = this.waiting.shift();
    if (!next) {
      this.permits++;
      return;
    }
    clearTimeout(next.timer);
    next.resolve();
    for (const { timer } of this.waiting) timer.refresh();
  }
}

/** Acquires a permit of each semaphore, in order. Returns a function that releases all. @throws a timeout error */
export async function acquireAll(semaphores: readonly Semaphore[]): Promise<() => void> {
  const releases: (() => void)[] = [];
  const releaseAll = (): void => {
    for (const release of releases) release();
  };
  try {
    for (const semaphore of semaphores) releases.push(await semaphore.acquire());
    return releaseAll;
  } catch (error) {
    releaseAll();
    throw error;
  }
}
