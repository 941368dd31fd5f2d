/** Lets so many things be done at once; the others wait for their turn. */
export class Semaphore {
  private free: number;
  private readonly queue: (() => void)[] = [];

  constructor(readonly size: number) {
    this.free = size;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    while (this.free === 0) await new Promise<void>((resolve) => this.queue.push(resolve));
    this.free -= 1;
    try {
      return await work();
    } finally {
      this.free += 1;
      this.queue.shift()?.();
    }
  }
}
