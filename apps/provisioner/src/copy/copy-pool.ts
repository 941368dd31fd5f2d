import { extname } from 'node:path';
import { columnsOf } from '../concurrency/columns.js';
import type { SourceLocation } from '../model/source-system.js';
import type { TargetLocation } from '../model/storage.js';
import type { Copier } from './copier.js';
import type { CompactOutcome, CopyBatch, CopyOutcome } from './copy-messages.js';
import type { RateLimit } from './process-rate-limit.js';
import { ThreadPool } from '../concurrency/thread-pool.js';

const orderProperties = ['path', 'size', 'mtimeNs', 'version', 'algorithms', 'flush'] as const;

/** The threads that copy, shared by every import of the process. */
export class CopyPool {
  private readonly threads: ThreadPool<CopyBatch, CompactOutcome>;

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
      copy: async (orders, counters) => {
        const isLong = orders.some(({ flush }) => flush);
        const columns = columnsOf(orders, orderProperties);
        const batch = { source, target, orders: columns, counters, limit: this.limit.shared };
        return (await this.threads.run(batch, isLong)).map(outcomeOf);
      },
    };
  }

  /** Ends the threads; what is under way is rejected. */
  close(): Promise<void> {
    return this.threads.close();
  }
}

function outcomeOf(answer: CompactOutcome): CopyOutcome {
  return typeof answer === 'string' ? { digests: { sha256: answer } } : answer;
}
