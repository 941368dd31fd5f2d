import type { Worker } from 'node:worker_threads';
import { startThread } from './start-thread.js';

/** Number of batches sent to a thread at the same time, so that the thread never waits for the next one. */
const batchesPerThread = 2;

/** The reply of a thread to a batch: an outcome for each item, in the order of the batch. */
export interface Reply<Outcome> {
  readonly id: number;
  readonly outcomes: readonly Outcome[];
}

/** A reserved share of one thread, for batches that must run on the same thread. */
export interface ThreadReservation<Batch, Outcome> {
  /** Runs a batch on the thread. @throws the error that ended the thread */
  run(batch: Omit<Batch, 'id'>): Promise<readonly Outcome[]>;
  /** Releases the thread. Must be called exactly once. */
  release(): void;
}

interface Pending<Outcome> {
  readonly thread: PoolThread;
  readonly resolve: (outcomes: readonly Outcome[]) => void;
  readonly reject: (error: unknown) => void;
}

interface PoolThread {
  readonly worker: Worker;
  load: number;
  /** The error that ended the thread; null while the thread accepts batches. */
  end: Error | null;
}

/** A pool of threads that process batches. A thread answers each batch with a `Reply`. Threads start on demand. */
export class ThreadPool<Batch extends { readonly id: number }, Outcome> {
  /** The number of batches in progress that keeps every thread busy. */
  readonly capacity: number;
  private threads: PoolThread[] = [];
  private readonly pending = new Map<number, Pending<Outcome>>();
  private readonly waiters: (() => void)[] = [];
  private lastId = 0;

  /**
   * @param module the module that the threads run
   * @param size the maximum number of threads
   */
  constructor(
    private readonly module: URL,
    private readonly size: number,
  ) {
    this.capacity = size * batchesPerThread;
  }

  /**
   * Runs a batch on the least busy thread.
   *
   * @param isLong whether the batch occupies the thread alone, so that no other batch waits for it
   * @throws the error that ended the thread
   */
  async run(batch: Omit<Batch, 'id'>, isLong = false): Promise<readonly Outcome[]> {
    const thread = await this.reserve(isLong);
    try {
      return await thread.run(batch);
    } finally {
      thread.release();
    }
  }

  /** Reserves the least busy thread. @param isLong whether the reservation occupies the thread alone */
  async reserve(isLong = false): Promise<ThreadReservation<Batch, Outcome>> {
    const load = isLong ? batchesPerThread : 1;
    const thread = await this.freeThread(load);
    return {
      run: (batch) => this.send(thread, batch),
      release: () => {
        thread.load -= load;
        // Releasing a long batch frees several slots. Waiters that find no free slot wait again in the same order.
        for (const wake of this.waiters.splice(0)) wake();
      },
    };
  }

  /** Ends the threads. Batches in progress are rejected. */
  async close(): Promise<void> {
    await Promise.all(this.threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  private send(thread: PoolThread, batch: Omit<Batch, 'id'>): Promise<readonly Outcome[]> {
    if (thread.end) return Promise.reject(thread.end);
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { thread, resolve, reject });
      thread.worker.postMessage({ ...batch, id });
    });
  }

  private async freeThread(weight: number): Promise<PoolThread> {
    for (;;) {
      if (this.threads.length < this.size && this.threads.every(({ load }) => load > 0)) this.start();
      const [leastBusy] = [...this.threads].sort((one, other) => one.load - other.load);
      if (leastBusy && leastBusy.load < batchesPerThread) {
        leastBusy.load += weight;
        return leastBusy;
      }
      await new Promise<void>((resolve) => this.waiters.push(resolve));
    }
  }

  private start(): void {
    const worker = startThread(this.module);
    const thread: PoolThread = { worker, load: 0, end: null };
    worker.on('message', ({ id, outcomes }: Reply<Outcome>) => {
      this.settle(id, ({ resolve }) => {
        resolve(outcomes);
      });
    });
    worker.on('error', (error: Error) => {
      this.drop(thread, error);
    });
    worker.on('exit', () => {
      this.drop(thread, new Error('A worker thread exited.'));
    });
    this.threads.push(thread);
  }

  private drop(thread: PoolThread, error: Error): void {
    thread.end ??= error;
    this.threads = this.threads.filter((each) => each !== thread);
    for (const [id, pending] of this.pending) {
      if (pending.thread !== thread) continue;
      this.settle(id, ({ reject }) => {
        reject(error);
      });
    }
  }

  private settle(id: number, how: (pending: Pending<Outcome>) => void): void {
    const pending = this.pending.get(id);
    if (!pending) return;
    this.pending.delete(id);
    how(pending);
  }
}
