import type { ResourceLimits, Worker } from 'node:worker_threads';
import { Semaphore } from './semaphore.js';
import { startThread } from './start-thread.js';

/** Callers for each thread: while one caller handles its outcomes, the thread runs the batch of another. */
const callersPerThread = 2;

/**
 * A pool of threads that process batches. A thread receives one batch at a time as a message, and answers with an array
 * of outcomes. Threads start on demand. The thread that was used last is used first, so few batches use few threads.
 */
export class ThreadPool<Batch, Outcome> {
  /** The number of concurrent callers that keeps every thread busy. */
  readonly capacity: number;
  private readonly permits: Semaphore;
  private readonly threads = new Set<Worker>();
  /** The idle threads, and the timers that end them. The thread that was used last is the last. */
  private readonly idle = new Map<Worker, NodeJS.Timeout | undefined>();

  /**
   * @param module the module that the threads run
   * @param size the maximum number of threads
   * @param idleMs the time after which an idle thread ends; if undefined, threads end with `close`
   * @param limits the limits of the memory of each thread
   */
  constructor(
    private readonly module: URL,
    size: number,
    private readonly idleMs?: number,
    private readonly limits?: ResourceLimits,
  ) {
    this.capacity = size * callersPerThread;
    this.permits = new Semaphore(size);
  }

  /** Runs a batch on a thread. @throws the error that ended the thread */
  run(batch: Batch): Promise<readonly Outcome[]> {
    return this.permits.run(() => this.send(this.takeIdle() ?? this.start(), batch));
  }

  /** Ends the threads. Batches in progress are rejected. */
  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }

  private takeIdle(): Worker | undefined {
    const thread = [...this.idle.keys()].at(-1);
    if (thread) {
      clearTimeout(this.idle.get(thread));
      this.idle.delete(thread);
      thread.ref();
    }
    return thread;
  }

  private send(thread: Worker, batch: Batch): Promise<readonly Outcome[]> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => {
        reject(new Error('A worker thread exited.'));
      };
      thread.once('error', reject).once('exit', onExit);
      thread.once('message', (outcomes: readonly Outcome[]) => {
        thread.off('error', reject).off('exit', onExit);
        this.setIdle(thread);
        resolve(outcomes);
      });
      thread.postMessage(batch);
    });
  }

  /** Keeps a thread for the next batch. A thread that ends by itself does not keep the process running. */
  private setIdle(thread: Worker): void {
    if (this.idleMs === undefined) {
      this.idle.set(thread, undefined);
      return;
    }
    thread.unref();
    const timer = setTimeout(() => {
      this.idle.delete(thread);
      void thread.terminate();
    }, this.idleMs);
    this.idle.set(thread, timer.unref());
  }

  private start(): Worker {
    const thread = startThread(this.module, this.limits && { resourceLimits: this.limits });
    this.threads.add(thread);
    const drop = (): void => {
      this.threads.delete(thread);
      clearTimeout(this.idle.get(thread));
      this.idle.delete(thread);
    };
    thread.once('error', drop).once('exit', drop);
    return thread;
  }
}
