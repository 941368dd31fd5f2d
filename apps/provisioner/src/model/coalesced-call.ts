/**
 * Coalesces concurrent calls of an asynchronous function. Each caller gets the result of an invocation that started
 * after its call: callers during an invocation share the next one.
 */
export class CoalescedCall<T> {
  private running: Promise<T> | null = null;
  private next: Promise<T> | null = null;

  constructor(private readonly call: () => Promise<T>) {}

  /** Returns the result of an invocation that starts after this call. */
  run(): Promise<T> {
    if (!this.running && !this.next) return this.start();
    this.next ??= Promise.allSettled([this.running]).then(() => this.start());
    return this.next;
  }

  private start(): Promise<T> {
    this.next = null;
    this.running = this.call().finally(() => {
      this.running = null;
    });
    return this.running;
  }
}
