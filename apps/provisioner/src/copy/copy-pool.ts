import { extname } from 'node:path';
import type { SourceLocation } from '../source/source-system.js';
import type { TargetLocation } from '../storage/storage.js';
import type { Copier } from './copier.js';
import type { CopyBatch, CopyOutcome } from './copy-messages.js';
import type { RateLimit } from './rate-timetable.js';
import { ThreadPool } from './thread-pool.js';

/** The threads that copy, shared by every import of the process. */
export class CopyPool {
  private readonly threads: ThreadPool<CopyBatch, CopyOutcome>;

  /** @param limit what they keep to, all of them together */
  constructor(
    size: number,
    private readonly limit: RateLimit,
  ) {
    const module = new URL(`./copy.thread${extname(import.meta.url)}`, import.meta.url);
    this.threads = new ThreadPool(module, size);
  }

  /** The threads as they copy from one folder to another. */
  between(source: SourceLocation, target: TargetLocation): Copier {
    return {
      capacity: this.threads.capacity,
      copy: (orders, counters) => {
        const isLong = orders.some(({ flush }) => flush);
        return this.threads.run({ source, target, orders, counters, limit: this.limit.shared }, isLong);
      },
    };
  }

  /** Ends the threads; what is under way is rejected. */
  close(): Promise<void> {
    return this.threads.close();
  }
}
