import type { OnApplicationShutdown } from '@nestjs/common';
import type { Worker } from 'node:worker_threads';
import { Semaphore } from '../../concurrency/semaphore.js';
import { startThread } from '../../concurrency/start-thread.js';
import type { DeclarationAnswers, DeclarationRequests, RequestKind } from './declaration-messages.js';

/** The most threads that read at once. The scan uses one of them, so that requests of callers find another. */
const maxThreads = 3;

/** Milliseconds after which an idle thread ends, which frees its memory. */
const idleMs = 5_000;

/** The heap of a thread without the declared files, in MiB. */
const readingHeapMb = 128;

const otherLimits = { maxYoungGenerationSizeMb: 6, stackSizeMb: 4 } as const;

const mebibyte = 1024 * 1024;

/** Milliseconds in which a thread must answer a request of 256 KiB or some hundred paths. */
const answerWithinMs = 60_000;

/** The factor by which the time limit is longer for requests whose work grows with the number of declared files. */
const scanFactor = 20;

const scans: ReadonlySet<RequestKind> = new Set(['searchMissing', 'finish']);

/** The error that a thread was ended because it exceeded its memory or time. */
export class DeclarationThreadError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DeclarationThreadError';
  }
}

/** A thread that is lent to one place. */
export interface LentThread {
  /** @throws DeclarationThreadError if the thread was ended, which loses everything in its memory */
  request<Kind extends RequestKind>(
    kind: Kind,
    request: DeclarationRequests[Kind],
    transferred?: readonly ArrayBuffer[],
  ): Promise<DeclarationAnswers[Kind]>;
  /** Keeps the thread and its memory beyond the end of `use`. */
  keep(): KeptThread;
}

/** A thread that stays with its place until `release`. It does not count towards the limit of threads. */
export interface KeptThread extends Pick<LentThread, 'request'> {
  /** Makes the thread idle or ends it. To be called once. */
  release(): void;
}

/** Limits of a thread, for tests. */
export interface DeclarationLimits {
  readonly heapMb?: number;
  readonly answerWithinMs?: number;
}

/** A pool of threads that read the descriptors of deliveries. Threads start on demand and end when they are idle. */
export class DeclarationThreads implements OnApplicationShutdown {
  private readonly slots = new Semaphore(maxThreads);
  private readonly largeSlot = new Semaphore(1);
  private readonly idle: PooledThread[] = [];
  private readonly heapMb: number;
  private isStopped = false;

  constructor(
    /** Memory in bytes that the declared files of one place may take. */
    readonly maxBytes: number,
    private readonly narrower: DeclarationLimits = {},
  ) {
    this.heapMb = narrower.heapMb ?? readingHeapMb + Math.ceil(maxBytes / mebibyte);
  }

  /**
   * Lends a thread to a place until the work ends or the kept thread is released. A thread that failed is not used again.
   *
   * @param isLarge whether the place may fill `maxBytes`: only one such place is read at a time
   */
  use<T>(work: (thread: LentThread) => Promise<T>, isLarge = false): Promise<T> {
    const run = (): Promise<T> => this.slots.run(() => this.lend(work, isLarge));
    return isLarge ? this.largeSlot.run(run) : run();
  }

  /** Ends the idle threads. The others end when they are released. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.idle.splice(0).map((thread) => thread.end()));
  }

  private async lend<T>(work: (thread: LentThread) => Promise<T>, isLarge: boolean): Promise<T> {
    const thread = this.idle.pop() ?? new PooledThread(this.heapMb, this.narrower.answerWithinMs);
    const loan = { isKept: false };
    const request: LentThread['request'] = (...sent) => thread.request(...sent);
    const release = (): Promise<void> => this.release(thread, isLarge);
    const keep = (): KeptThread => {
      loan.isKept = true;
      return { request, release: () => void release() };
    };
    thread.wake();
    try {
      await request('begin', { maxBytes: this.maxBytes });
      const result = await work({ request, keep });
      if (!loan.isKept) await release();
      return result;
    } catch (error) {
      await thread.end();
      throw error;
    }
  }

  /** Makes a thread idle. If its place was large, ends the thread to free its memory at once. */
  private async release(thread: PooledThread, isLarge: boolean): Promise<void> {
    try {
      if (isLarge || this.isStopped) {
        await thread.end();
        return;
      }
      await thread.request('begin', { maxBytes: this.maxBytes });
      this.idle.push(thread);
      thread.sleep(() => {
        this.drop(thread);
      });
    } catch {
      await thread.end();
    }
  }

  private drop(thread: PooledThread): void {
    const at = this.idle.indexOf(thread);
    if (at >= 0) this.idle.splice(at, 1);
    void thread.end();
  }
}

/** A worker thread that answers one request after the other. */
class PooledThread {
  private readonly worker: Worker;
  private idleTimer: NodeJS.Timeout | undefined;
  private failure: Error | null = null;
  private pending: { resolve: (answer: unknown) => void; reject: (error: Error) => void } | null = null;

  constructor(
    heapMb: number,
    private readonly withinMs = answerWithinMs,
  ) {
    this.worker = startThread(new URL('./declaration.thread.js', import.meta.url), {
      execArgv: [],
      resourceLimits: { ...otherLimits, maxOldGenerationSizeMb: heapMb },
    });
    this.worker.on('message', (answer: unknown) => {
      this.pending?.resolve(answer);
    });
    this.worker.once('error', (error: NodeJS.ErrnoException) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.fail(
        isMemory
          ? new DeclarationThreadError(
              'reading it takes too much memory. Deliver a smaller one; a checksum list may have any size',
              error,
            )
          : error,
      );
    });
    this.worker.once('exit', () => {
      this.fail(new DeclarationThreadError('the thread that read it was ended. Import the dataset again'));
    });
  }

  async request<Kind extends RequestKind>(
    kind: Kind,
    request: DeclarationRequests[Kind],
    transferred: readonly ArrayBuffer[] = [],
  ): Promise<DeclarationAnswers[Kind]> {
    if (this.failure) throw this.failure;
    const timer = setTimeout(
      () => {
        this.fail(
          new DeclarationThreadError(
            'reading it takes too much time. Import the dataset again, or deliver a smaller one',
          ),
        );
      },
      this.withinMs * (scans.has(kind) ? scanFactor : 1),
    );
    try {
      return await new Promise<DeclarationAnswers[Kind]>((resolve, reject) => {
        this.pending = { resolve: resolve as (answer: unknown) => void, reject };
        this.worker.postMessage({ ...request, kind }, transferred);
      });
    } finally {
      clearTimeout(timer);
      this.pending = null;
    }
  }

  wake(): void {
    clearTimeout(this.idleTimer);
    this.worker.ref();
  }

  /** Calls `end` after a while unless the thread is woken before. An idle thread does not keep the process running. */
  sleep(end: () => void): void {
    this.worker.unref();
    this.idleTimer = setTimeout(end, idleMs);
    this.idleTimer.unref();
  }

  async end(): Promise<void> {
    clearTimeout(this.idleTimer);
    await this.worker.terminate();
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.pending?.reject(this.failure);
  }
}
