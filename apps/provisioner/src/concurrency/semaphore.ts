/** A counting semaphore. */
export class Semaphore {
  private free: number;
  private readonly waiters: (() => void)[] = [];

  /** @param size number of permits */
  constructor(readonly size: number) {
    this.free = size;
  }

  /** Runs a function when a permit is free, and releases the permit when the function has ended. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.free === 0) await new Promise<void>((resolve) => this.waiters.push(resolve));
    this.free -= 1;
    try {
      return await work();
    } finally {
      this.free += 1;
      this.waiters.shift()?.();
    }
  }
}
