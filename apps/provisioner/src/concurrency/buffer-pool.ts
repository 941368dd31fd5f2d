interface Waiter {
  readonly cost: number;
  readonly resume: () => void;
}

/** Minimum size of a buffer. */
const minBytes = 64 * 1024;

/**
 * A pool of buffers with a fixed total size, for data in transfer to a store. If too little memory is left, `acquire`
 * waits; waiters are served in order.
 */
export class BufferPool {
  private left: number;
  private readonly waiting: Waiter[] = [];
  /** Unused buffers by size. They are reused because the garbage collector frees discarded buffers too late. */
  private readonly spare = new Map<number, Buffer[]>();
  private spareBytes = 0;

  /** @param bytes the total size, unused buffers included */
  constructor(private readonly bytes: number) {
    this.left = bytes;
  }

  /**
   * Returns a buffer of at least `bytes` bytes. The caller must release the buffer. A buffer larger than the whole pool
   * is handed out only while no other buffer is in use.
   */
  async acquire(bytes: number): Promise<Buffer> {
    const size = bytes > this.bytes ? bytes : Math.max(minBytes, 2 ** Math.ceil(Math.log2(bytes)));
    const cost = this.costOf(size);
    if (this.waiting.length > 0 || cost > this.left) {
      await new Promise<void>((resume) => this.waiting.push({ cost, resume }));
    } else this.left -= cost;
    return this.bufferOf(size);
  }

  /** Returns a buffer to the pool. Must be called once for each acquired buffer. */
  release(buffer: Buffer): void {
    this.left += this.costOf(buffer.length);
    this.keep(buffer);
    for (let [first] = this.waiting; first && first.cost <= this.left; [first] = this.waiting) {
      this.waiting.shift();
      this.left -= first.cost;
      first.resume();
    }
  }

  private keep(buffer: Buffer): void {
    if (buffer.length > this.bytes) return;
    const sameSize = this.spare.get(buffer.length) ?? [];
    sameSize.push(buffer);
    this.spare.set(buffer.length, sameSize);
    this.spareBytes += buffer.length;
  }

  private bufferOf(size: number): Buffer {
    const spare = this.spare.get(size)?.pop();
    if (spare) {
      this.spareBytes -= size;
      return spare;
    }
    if (this.spareBytes > this.left) {
      this.spare.clear();
      this.spareBytes = 0;
    }
    return Buffer.allocUnsafeSlow(size);
  }

  private costOf(bytes: number): number {
    return Math.min(bytes, this.bytes);
  }
}
