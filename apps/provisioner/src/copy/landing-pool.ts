import type { NextBuffer } from '../model/source-system.js';
import type { CopyOutcome } from './copy-messages.js';
import type { LandingOrder, LandingPiece } from './landing-messages.js';
import { ThreadPool, type ThreadReservation } from '../concurrency/thread-pool.js';

/** The size of one piece: small enough to stay in the processor's cache until the piece is hashed and written. */
const pieceBytes = 512 * 1024;

/** The receive buffer of a file: one piece is filled while the thread processes the other. */
export const landingBytes = 2 * pieceBytes;

const noBytes = Buffer.alloc(0);

/** A file whose bytes this process receives from a store. */
export interface ReceivedFile {
  readonly order: LandingOrder;
  readonly size: number;
  /** Shared memory for the received bytes: `landingBytes`, or the size of the file if that is less. */
  readonly memory: Buffer;
  readonly open: (next: NextBuffer) => AsyncIterable<Buffer>;
  /** Called with the number of bytes that were written. */
  readonly onWritten: (bytes: number) => void;
}

/** The threads that hash and write received bytes while this process receives the next bytes. */
export class LandingPool {
  private readonly threads: ThreadPool<LandingPiece, CopyOutcome>;
  private lastFile = 0;

  constructor(size: number) {
    const module = new URL('./landing.thread.js', import.meta.url);
    this.threads = new ThreadPool(module, size);
  }

  /**
   * Writes a received file to the path of its order. The file's memory must not be reused before the call settles.
   *
   * @throws the error of `open`, or the error that ended the thread
   */
  async land(file: ReceivedFile): Promise<CopyOutcome> {
    const seat = await this.threads.reserve();
    try {
      this.lastFile += 1;
      return await new Landing(seat, this.lastFile, file).run();
    } finally {
      seat.release();
    }
  }

  /** Ends the threads. Files in progress are rejected. */
  close(): Promise<void> {
    return this.threads.close();
  }
}

/** The transfer of one received file to its thread. */
class Landing {
  private readonly pieces: readonly Buffer[];
  /** For each piece, a promise that resolves when the thread has processed the piece. */
  private readonly inThread: Promise<void>[] = [];
  /** The index of the piece that is being filled. */
  private index = 0;
  private remaining: number;
  /** Whether the first piece was sent. */
  private isStarted = false;
  private outcome: CopyOutcome | null = null;
  /** The error that ended the thread. */
  private end: Error | null = null;

  constructor(
    private readonly seat: ThreadReservation<LandingPiece, CopyOutcome>,
    private readonly fileNumber: number,
    private readonly file: ReceivedFile,
  ) {
    const { memory, size } = file;
    this.remaining = size;
    this.pieces = size < pieceBytes ? [memory] : [memory.subarray(0, pieceBytes), memory.subarray(pieceBytes)];
  }

  async run(): Promise<CopyOutcome> {
    const { size, order, open } = this.file;
    try {
      for await (const bytes of open(() => this.next())) {
        if (this.end !== null || this.outcome?.failure) break;
        this.remaining -= bytes.length;
        this.send(bytes, this.remaining > 0 ? 'more' : 'last');
      }
      if (size === 0) this.send(noBytes, 'last');
      await Promise.all(this.inThread);
      if (this.outcome) return this.outcome;
      throw this.end ?? new Error(`The copy of ${order.path} has no outcome.`);
    } finally {
      await this.abort();
    }
  }

  /** Returns the next free buffer. Never rejects, because a reader of a store would report the error as the store's. */
  private async next(): Promise<Buffer> {
    this.index = (this.index + 1) % this.pieces.length;
    await this.inThread[this.index];
    return this.pieces[this.index] ?? this.file.memory;
  }

  private send(bytes: Buffer, step: LandingPiece['step']): void {
    const order = this.isStarted ? null : this.file.order;
    this.isStarted = true;
    this.inThread[this.index] = this.seat.run({ file: this.fileNumber, order, bytes, step }).then(
      ([outcome]) => {
        this.outcome ??= outcome ?? null;
        if (!this.outcome?.failure) this.file.onWritten(bytes.length);
      },
      (error: unknown) => {
        this.end = error as Error;
      },
    );
  }

  /** Makes the thread close an incomplete file, and waits until the thread no longer uses the memory. */
  private async abort(): Promise<void> {
    await Promise.all(this.inThread);
    if (!this.isStarted || this.outcome || this.end) return;
    this.send(noBytes, 'abort');
    await Promise.all(this.inThread);
  }
}
