/** How long somebody waits for a place, and what they are told then. */
export interface AcquireTimeout {
  /** For so long nobody may have given a place back. */
  readonly ms: number;
  readonly timeoutError: () => Error;
}

/**
 * Places for whoever holds a connection for long, such as the caller of a whole list while they read: enough connections
 * must be left to everybody else. Whoever comes while all places are taken waits: those who get on make place one after
 * the other, and only those who do not keep others waiting for long.
 */
export class Semaphore {
  private readonly waiting: { readonly seat: () => void; readonly timer: NodeJS.Timeout }[] = [];

  constructor(
    private free: number,
    private readonly patience: AcquireTimeout,
  ) {}

  /** Takes a place; the answer gives it back, once. @throws what the patience says when none becomes free */
  async acquire(): Promise<() => void> {
    if (this.free > 0) this.free--;
    else await this.nextFree();
    let taken = true;
    return () => {
      if (taken) this.giveBack();
      taken = false;
    };
  }

  private nextFree(): Promise<void> {
    return new Promise((seat, reject) => {
      const timer = setTimeout(() => {
        const at = this.waiting.findIndex((each) => each.timer === timer);
        this.waiting.splice(at, 1);
        reject(this.patience.timeoutError());
      }, this.patience.ms);
      this.waiting.push({ seat, timer });
    });
  }

  private giveBack(): void {
    const next = this.waiting.shift();
    if (!next) {
      this.free++;
      return;
    }
    clearTimeout(next.timer);
    next.seat();
    for (const { timer } of this.waiting) timer.refresh();
  }
}

/** Takes a place of each kind, in the order given; the answer gives all of them back. @throws what their patience says */
export async function acquireAll(kinds: readonly Semaphore[]): Promise<() => void> {
  const taken: (() => void)[] = [];
  const leave = (): void => {
    for (const each of taken) each();
  };
  try {
    for (const places of kinds) taken.push(await places.acquire());
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
