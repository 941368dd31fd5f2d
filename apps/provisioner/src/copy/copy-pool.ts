import { ThreadPool } from '../concurrency/thread-pool.js';
import type { SourceLocation } from '../model/source-system.js';
import type { TargetLocation } from '../model/workspace.js';
import type { Copier } from './copier.js';
import type { CopyBatch, CopyOutcome } from './copy-messages.js';
import type { RateLimit } from './process-rate-limit.js';

/** The copy threads, shared by all imports of the process. */
export class CopyPool {
  private readonly threads: ThreadPool<CopyBatch, CopyOutcome>;

  /** @param limit shared by all threads */
  constructor(
    size: number,
    private readonly limit: RateLimit,
  ) {
    this.threads = new ThreadPool(new URL('./copy.thread.js', import.meta.url), size);
  }

  /** Returns a copier from one folder to another. */
  between(source: SourceLocation, target: TargetLocation): Copier {
    const limit = this.limit.shared;
    return {
      capacity: this.threads.capacity,
      copy: (orders, counters) => this.threads.run({ source, target, orders, counters, limit }),
    };
  }

  /** Ends the threads. Batches in progress are rejected. */
  close(): Promise<void> {
    return this.threads.close();
  }
}
