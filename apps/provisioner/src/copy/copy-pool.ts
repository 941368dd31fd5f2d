import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SourceLocation } from '../source/source-system.js';
import type { TargetLocation } from '../storage/storage.js';
import type { Copier } from './copier.js';
import type { CopyBatch, CopyOutcome, CopyReply } from './copy-messages.js';
import type { RateLimit } from './rate-timetable.js';

/** Batches a thread holds, so that it never waits for the next. */
const batchesPerThread = 2;

interface Pending {
  readonly thread: CopyThread;
  readonly resolve: (outcomes: readonly CopyOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

interface CopyThread {
  readonly worker: Worker;
  load: number;
}

/** The threads that copy, shared by every import of the process. They start with the first batch. */
export class CopyPool {
  private threads: CopyThread[] = [];
  private readonly pending = new Map<number, Pending>();
  private readonly queue: (() => void)[] = [];
  private lastId = 0;

  /** @param limit what they keep to, all of them together */
  constructor(
    private readonly size: number,
    private readonly limit: RateLimit,
  ) {}

  /** The threads as they copy from one folder to another. */
  between(source: SourceLocation, target: TargetLocation): Copier {
    return {
      capacity: this.size * batchesPerThread,
      copy: (orders, counters) => this.copy({ source, target, orders, counters, limit: this.limit.shared }),
    };
  }

  /** Ends the threads; what is under way is rejected. */
  async close(): Promise<void> {
    await Promise.all(this.threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  private async copy(batch: Omit<CopyBatch, 'id'>): Promise<readonly CopyOutcome[]> {
    const thread = await this.freeThread();
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { thread, resolve, reject });
      thread.worker.postMessage({ ...batch, id } satisfies CopyBatch);
    });
  }

  private async freeThread(): Promise<CopyThread> {
    while (this.threads.length < this.size) this.threads.push(this.start());
    for (;;) {
      const [idlest] = [...this.threads].sort((one, other) => one.load - other.load);
      if (idlest && idlest.load < batchesPerThread) {
        idlest.load += 1;
        return idlest;
      }
      await new Promise<void>((resolve) => this.queue.push(resolve));
    }
  }

  private start(): CopyThread {
    const module = new URL(`./copy.thread${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(module);
    const thread = { worker, load: 0 };
    worker.on('message', ({ id, outcomes }: CopyReply) => {
      this.settle(id, ({ resolve }) => {
        resolve(outcomes);
      });
    });
    worker.on('error', (error) => {
      this.drop(thread, error);
    });
    worker.on('exit', () => {
      this.drop(thread, new Error('A copy thread ended.'));
    });
    return thread;
  }

  private drop(thread: CopyThread, error: unknown): void {
    this.threads = this.threads.filter((each) => each !== thread);
    for (const [id, pending] of this.pending) {
      if (pending.thread !== thread) continue;
      this.settle(id, ({ reject }) => {
        reject(error);
      });
    }
  }

  private settle(id: number, how: (pending: Pending) => void): void {
    const pending = this.pending.get(id);
    if (!pending) return;
    this.pending.delete(id);
    pending.thread.load -= 1;
    how(pending);
    this.queue.shift()?.();
  }
}
