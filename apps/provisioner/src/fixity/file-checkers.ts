import { Injectable } from '@nestjs/common';
import { extname } from 'node:path';
import { columnsOf } from '../concurrency/columns.js';
import { createLimit, setRate } from '../copy/rate-limit.js';
import { Semaphore } from '../concurrency/semaphore.js';
import { ThreadPool } from '../concurrency/thread-pool.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { Subject } from '../model/identifier.js';
import { Storage } from '../model/storage.js';
import type { Difference } from './differences.js';
import type { CheckBatch, FileChecker } from './file-checker.js';
import { StreamChecker } from './stream-checker.js';

const entryProperties = ['path', 'type', 'size', 'sha256', 'target'] as const;

/** Files on their way over a network, for each thread that would read them from a folder. */
const streamsPerThread = 2;

/**
 * What reads stored files again, all verifications of the process together. It shares nothing with what copies: whoever
 * waits for `FIXITY_RATE_LIMIT` keeps no import waiting.
 */
@Injectable()
export class FileCheckers {
  private readonly limit = createLimit();
  private readonly threads: ThreadPool<CheckBatch, readonly Difference[]>;
  private readonly slots: Semaphore;

  constructor(
    private readonly storage: Storage,
    { COPY_THREADS, FIXITY_RATE_LIMIT = 0 }: ProvisionerSettings,
  ) {
    setRate(this.limit, FIXITY_RATE_LIMIT);
    const module = new URL(`./check.thread${extname(import.meta.url)}`, import.meta.url);
    this.threads = new ThreadPool(module, COPY_THREADS);
    this.slots = new Semaphore(COPY_THREADS * streamsPerThread);
  }

  /** Threads where the storage is a folder; else streams through this process. */
  of(subject: Subject): FileChecker {
    const { threads, limit } = this;
    const folder = this.storage.folderOf(subject);
    if (folder === null) return new StreamChecker(this.storage, subject, this.slots, limit);
    return {
      capacity: threads.capacity,
      check: (listed, counters) => {
        const entries = columnsOf(listed, entryProperties);
        return threads.run({ folder, entries, counters, limit });
      },
    };
  }

  /** Ends the threads; what is under way is rejected. */
  close(): Promise<void> {
    return this.threads.close();
  }
}
