import { extname } from 'node:path';
import type { NextBuffer } from '../model/source-system.js';
import type { CopyOutcome } from './copy-messages.js';
import type { LandingOrder, LandingPiece } from './landing-messages.js';
import { ThreadPool, type ThreadReservation } from '../concurrency/thread-pool.js';

/** What crosses to a thread at once: little enough to stay in the processor's cache until it is hashed and written. */
const pieceBytes = 512 * 1024;

/** What a file's bytes are received in: one piece while the thread has another. */
export const landingBytes = 2 * pieceBytes;

const noBytes = Buffer.alloc(0);

/** A file whose bytes this process receives. */
export interface ReceivedFile {
  readonly order: LandingOrder;
  readonly size: number;
  /** What its bytes are received in: `landingBytes` of shared memory, or enough for all of it. */
  readonly memory: Buffer;
  readonly open: (next: NextBuffer) => AsyncIterable<Buffer>;
  /** Told of bytes that are written. */
  readonly onWritten: (bytes: number) => void;
}

/** The threads that hash and write what this process receives, while it goes on receiving. */
export class LandingPool {
  private readonly threads: ThreadPool<LandingPiece, CopyOutcome>;
  private lastFile = 0;

  constructor(size: number) {
    const module = new URL(`./landing.thread${extname(import.meta.url)}`, import.meta.url);
    this.threads = new ThreadPool(module, size);
  }

  /**
   * Brings a file where its order says. Its memory is nobody else's until this ends, however that is.
   *
   * @throws what `open` throws, or what ended the thread
   */
  async land(arrival: ReceivedFile): Promise<CopyOutcome> {
    const seat = await this.threads.reserve();
    try {
      this.lastFile += 1;
      return await new Landing(seat, this.lastFile, arrival).run();
    } finally {
      seat.release();
    }
  }

  /** Ends the threads; what is under way is rejected. */
  close(): Promise<void> {
    return this.threads.close();
  }
}

/** One file on its way to its thread. */
class Landing {
  private readonly pieces: readonly Buffer[];
  /** Of each piece, when the thread is done with it. */
  private readonly inThread: Promise<void>[] = [];
  /** The piece that is being filled. */
  private at = 0;
  private left: number;
  /** Whether the thread has heard of it. */
  private isBegun = false;
  private outcome: CopyOutcome | null = null;
  /** What ended the thread. */
  private end: Error | null = null;

  constructor(
    private readonly seat: ThreadReservation<LandingPiece, CopyOutcome>,
    private readonly file: number,
    private readonly arrival: ReceivedFile,
  ) {
    const { memory, size } = arrival;
    this.left = size;
    this.pieces = size < pieceBytes ? [memory] : [memory.subarray(0, pieceBytes), memory.subarray(pieceBytes)];
  }

  async run(): Promise<CopyOutcome> {
    const { size, order, open } = this.arrival;
    try {
      for await (const bytes of open(() => this.next())) {
        if (this.end !== null || this.outcome?.failure) break;
        this.left -= bytes.length;
        this.send(bytes, this.left > 0 ? 'more' : 'last');
      }
      if (size === 0) this.send(noBytes, 'last');
      await Promise.all(this.inThread);
      if (this.outcome) return this.outcome;
      throw this.end ?? new Error(`Nothing is known of the copy of ${order.path}.`);
    } finally {
      await this.abort();
    }
  }

  /** Never fails: whoever reads a store would take that for the store's failure. */
  private async next(): Promise<Buffer> {
    this.at = (this.at + 1) % this.pieces.length;
    await this.inThread[this.at];
    return this.pieces[this.at] ?? this.arrival.memory;
  }

  private send(bytes: Buffer, step: LandingPiece['step']): void {
    const order = this.isBegun ? null : this.arrival.order;
    this.isBegun = true;
    this.inThread[this.at] = this.seat.run({ file: this.file, order, bytes, step }).then(
      ([outcome]) => {
        this.outcome ??= outcome ?? null;
        if (!this.outcome?.failure) this.arrival.onWritten(bytes.length);
      },
      (error: unknown) => {
        this.end = error as Error;
      },
    );
  }

  /** Has the thread close what it holds open still, and waits until it needs the memory no more. */
  private async abort(): Promise<void> {
    await Promise.all(this.inThread);
    if (!this.isBegun || this.outcome || this.end) return;
    this.send(noBytes, 'give up');
    await Promise.all(this.inThread);
  }
}
