import { Worker } from 'node:worker_threads';

/** Batches a thread holds, so that it never waits for the next. */
const batchesPerThread = 2;

/** What comes back from a thread: an outcome for each item of the batch, in its order. */
export interface Reply<Outcome> {
  readonly id: number;
  readonly outcomes: readonly Outcome[];
}

/** A place at one thread, for batches that have to come to the same. */
export interface ThreadReservation<Batch, Outcome> {
  /** @throws what ended the thread */
  run(batch: Omit<Batch, 'id'>): Promise<readonly Outcome[]>;
  /** Makes room for others. To be called once, at the end. */
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
  /** Why it takes no more batches. */
  end: Error | null;
}

/** Threads that are sent batches and answer each with a `Reply`. They start as batches come. */
export class ThreadPool<Batch extends { readonly id: number }, Outcome> {
  /** How many batches it makes sense to have under way. */
  readonly capacity: number;
  private threads: PoolThread[] = [];
  private readonly pending = new Map<number, Pending<Outcome>>();
  private readonly queue: (() => void)[] = [];
  private lastId = 0;

  /**
   * @param module what the threads run
   * @param size threads at most
   */
  constructor(
    private readonly module: URL,
    private readonly size: number,
  ) {
    this.capacity = size * batchesPerThread;
  }

  /**
   * @param isLong whether no other is to wait behind it for the same thread
   * @throws what ended the thread that had the batch
   */
  async run(batch: Omit<Batch, 'id'>, isLong = false): Promise<readonly Outcome[]> {
    const seat = await this.reserve(isLong);
    try {
      return await seat.run(batch);
    } finally {
      seat.release();
    }
  }

  /** @param isLong whether no other is to wait behind it for the same thread */
  async reserve(isLong = false): Promise<ThreadReservation<Batch, Outcome>> {
    const load = isLong ? batchesPerThread : 1;
    const thread = await this.freeThread(load);
    return {
      run: (batch) => this.send(thread, batch),
      release: () => {
        thread.load -= load;
        // A long batch makes room for several; who finds none waits on, in the same order.
        for (const look of this.queue.splice(0)) look();
      },
    };
  }

  /** Ends the threads; what is under way is rejected. */
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
      const [idlest] = [...this.threads].sort((one, other) => one.load - other.load);
      if (idlest && idlest.load < batchesPerThread) {
        idlest.load += weight;
        return idlest;
      }
      await new Promise<void>((resolve) => this.queue.push(resolve));
    }
  }

  private start(): void {
    const worker = new Worker(this.module);
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
      this.drop(thread, new Error('A thread ended.'));
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
