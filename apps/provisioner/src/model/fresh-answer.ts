/**
 * An answer that several may ask for at once, and that is never older than the question: who asks while it is being
 * found shares the next one.
 */
export class CoalescedCall<T> {
  private running: Promise<T> | null = null;
  private next: Promise<T> | null = null;

  constructor(private readonly find: () => Promise<T>) {}

  run(): Promise<T> {
    if (!this.running && !this.next) return this.begin();
    this.next ??= Promise.allSettled([this.running]).then(() => this.begin());
    return this.next;
  }

  private begin(): Promise<T> {
    this.next = null;
    this.running = this.find().finally(() => {
      this.running = null;
    });
    return this.running;
  }
}
