import type { Worker } from 'node:worker_threads';
import { Semaphore } from './semaphore.js';
import { startThread } from './start-thread.js';

/** Callers for each thread: while one caller handles its outcomes, the thread runs the batch of another. */
const callersPerThread = 2;

/**
 * A pool of threads that process batches. A thread receives one batch at a time as a message, and answers with an array
 * of outcomes. Threads start on demand.
 */
export class ThreadPool<Batch, Outcome> {
  /** The number of concurrent callers that keeps every thread busy. */
  readonly capacity: number;
  private readonly permits: Semaphore;
  private readonly threads = new Set<Worker>();
  private readonly idle = new Set<Worker>();

  /**
   * @param module the module that the threads run
   * @param size the maximum number of threads
   */
  constructor(
    private readonly module: URL,
    size: number,
  ) {
    this.capacity = size * callersPerThread;
    this.permits = new Semaphore(size);
  }

  /** Runs a batch on a thread. @throws the error that ended the thread */
  run(batch: Batch): Promise<readonly Outcome[]> {
    return this.permits.run(() => {
      const [thread = this.start()] = this.idle;
      this.idle.delete(thread);
      return this.send(thread, batch);
    });
  }

  /** Ends the threads. Batches in progress are rejected. */
  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.terminate()));
  }

  private send(thread: Worker, batch: Batch): Promise<readonly Outcome[]> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => {
        reject(new Error('A worker thread exited.'));
      };
      thread.once('error', reject).once('exit', onExit);
      thread.once('message', (outcomes: readonly Outcome[]) => {
        thread.off('error', reject).off('exit', onExit);
        this.idle.add(thread);
        resolve(outcomes);
      });
      thread.postMessage(batch);
    });
  }

  private start(): Worker {
    const thread = startThread(this.module);
    this.threads.add(thread);
    const drop = (): void => {
      this.threads.delete(thread);
      this.idle.delete(thread);
    };
    thread.once('error', drop).once('exit', drop);
    return thread;
  }
}
