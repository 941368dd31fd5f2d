/** A semaphore that limits concurrent password hashing. Waiting work runs in order of arrival. */
export class LoginThrottle {
  private readonly waiting: (() => void)[] = [];

  /** @param free the number of concurrent runs */
  constructor(private free: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((acquire) => this.waiting.push(acquire));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
