/** Lets a few through at a time; the others wait in the order in which they came. */
export class LoginThrottle {
  private readonly waiting: (() => void)[] = [];

  /** @param free how many may be inside at once */
  constructor(private free: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((admit) => this.waiting.push(admit));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
