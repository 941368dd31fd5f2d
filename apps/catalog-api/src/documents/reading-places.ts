import { RateLimitedError } from '@rdc/errors';

/** When whoever found no place may come again. */
const retryAfterSeconds = 30;

/** How long nobody may have given a place back before whoever waits is sent away. */
const patienceMs = 3_000;

/**
 * Places for whoever reads a whole list: its stream holds a connection for as long as the caller takes to read, and
 * enough of them must be left to everybody else. Whoever comes while all are taken waits: readers
 * who read make place one after the other, and only those who do not read keep others waiting for long.
 */
export class ReadingPlaces {
  private readonly waiting: { readonly seat: () => void; readonly timer: NodeJS.Timeout }[] = [];

  constructor(
    private free: number,
    private readonly patience = patienceMs,
  ) {}

  /** Takes a place; the answer gives it back, once. @throws RateLimitedError when none becomes free */
  async take(): Promise<() => void> {
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
        reject(new RateLimitedError('whole lists being read at this moment', retryAfterSeconds));
      }, this.patience);
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

/** Takes a place of each kind, in the order given; the answer gives all of them back. @throws RateLimitedError */
export async function takeAll(kinds: readonly ReadingPlaces[]): Promise<() => void> {
  const taken: (() => void)[] = [];
  const leave = (): void => {
    for (const each of taken) each();
  };
  try {
    for (const places of kinds) taken.push(await places.take());
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}
