import { Injectable } from '@nestjs/common';
import { createLimit, setRate } from '../copy/rate-limit.js';
import { Semaphore } from '../concurrency/semaphore.js';
import { ThreadPool } from '../concurrency/thread-pool.js';
import { ProvisionerSettings } from '../settings/provisioner.settings.js';
import type { Subject } from '../model/identifier.js';
import { Storage } from '../model/storage.js';
import type { Difference } from './differences.js';
import type { CheckBatch, FileChecker } from './file-checker.js';
import { StreamChecker } from './stream-checker.js';

/** Concurrent streams for each thread, because a stream mostly waits for the network. */
const streamsPerThread = 2;

/**
 * The file checkers of all verifications of the process. They share no threads with the copies, so a verification that
 * waits for `FIXITY_RATE_LIMIT` does not delay an import.
 */
@Injectable()
export class FileCheckers {
  private readonly limit = createLimit();
  private readonly threads: ThreadPool<CheckBatch, readonly Difference[]>;
  private readonly permits: Semaphore;

  constructor(
    private readonly storage: Storage,
    { COPY_THREADS, FIXITY_RATE_LIMIT = 0 }: ProvisionerSettings,
  ) {
    setRate(this.limit, FIXITY_RATE_LIMIT);
    this.threads = new ThreadPool(new URL('./check.thread.js', import.meta.url), COPY_THREADS);
    this.permits = new Semaphore(COPY_THREADS * streamsPerThread);
  }

  /** Returns a checker that uses threads if the storage is a folder, else one that streams through this process. */
  of(subject: Subject): FileChecker {
    const { threads, limit } = this;
    const folder = this.storage.folderOf(subject);
    if (folder === null) return new StreamChecker(this.storage, subject, this.permits, limit);
    return {
      capacity: threads.capacity,
      check: (entries, counters) => threads.run({ folder, entries, counters, limit }),
    };
  }

  /** Ends the threads. Batches in progress are rejected. */
  close(): Promise<void> {
    return this.threads.close();
  }
}
