interface Waiting {
  readonly cost: number;
  readonly go: () => void;
}

/** Buffers are not smaller than this. */
const leastBytes = 64 * 1024;

/**
 * Memory for what is on its way to a store: one amount for everything that is sent through it, however many files there
 * are and however large. Who asks for more than is left waits, first come, first served. Threads can be told of it.
 */
export class BufferPool {
  private left: number;
  private readonly waiting: Waiting[] = [];
  /** Buffers that nobody uses just now, by their size: new ones would be garbage that is collected too late. */
  private readonly spare = new Map<number, Buffer[]>();
  private spareBytes = 0;

  /** @param bytes what there is, the buffers that nobody uses included */
  constructor(private readonly bytes: number) {
    this.left = bytes;
  }

  /** @returns a buffer of so many bytes or more, to be given back; one larger than all there is is lent when no other is */
  async acquire(bytes: number): Promise<Buffer> {
    const size = bytes > this.bytes ? bytes : Math.max(leastBytes, 2 ** Math.ceil(Math.log2(bytes)));
    const cost = this.costOf(size);
    if (this.waiting.length > 0 || cost > this.left) {
      await new Promise<void>((go) => this.waiting.push({ cost, go }));
    } else this.left -= cost;
    return this.bufferOf(size);
  }

  release(buffer: Buffer): void {
    this.left += this.costOf(buffer.length);
    this.keep(buffer);
    for (let [first] = this.waiting; first && first.cost <= this.left; [first] = this.waiting) {
      this.waiting.shift();
      this.left -= first.cost;
      first.go();
    }
  }

  private keep(buffer: Buffer): void {
    if (buffer.length > this.bytes) return;
    const alike = this.spare.get(buffer.length) ?? [];
    alike.push(buffer);
    this.spare.set(buffer.length, alike);
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
    return Buffer.from(new SharedArrayBuffer(size));
  }

  private costOf(bytes: number): number {
    return Math.min(bytes, this.bytes);
  }
}
