import { createHash } from 'node:crypto';
import { counterIndex } from '../copy/copy-messages.js';
import { RateLimiter, type SharedLimit } from '../copy/rate-limit.js';
import type { Semaphore } from '../concurrency/semaphore.js';
import type { Subject } from '../model/identifier.js';
import { StorageFailure } from '../model/storage-failure.js';
import type { Storage } from '../model/storage.js';
import { differencesOf, type Difference, type ActualEntry, type ExpectedEntry } from './differences.js';
import type { FileChecker } from './file-checker.js';

type Counters = BigInt64Array<SharedArrayBuffer>;

class StoppedError extends Error {}

/** Reads files through this process. Where the waiting is for a network, threads would not help. */
export class StreamChecker implements FileChecker {
  readonly capacity: number;
  private readonly turns = new RateLimiter();

  constructor(
    private readonly storage: Storage,
    private readonly subject: Subject,
    private readonly slots: Semaphore,
    private readonly limit: SharedLimit,
  ) {
    this.capacity = slots.size;
  }

  check(entries: readonly ExpectedEntry[], counters: Counters): Promise<readonly (readonly Difference[])[]> {
    return Promise.all(
      entries.map((listed) => this.slots.run(async () => differencesOf(listed, await this.find(listed, counters)))),
    );
  }

  /** A store knows no folders: none of them can be missing. */
  private async find({ path, type }: ExpectedEntry, counters: Counters): Promise<ActualEntry | null> {
    if (type === 'directory') return { type };
    const stopIfAborted = (): void => {
      if (Atomics.load(counters, counterIndex.aborted) !== 0n) throw new StoppedError();
    };
    const hash = createHash('sha256');
    let size = 0;
    try {
      stopIfAborted();
      for await (const bytes of this.storage.openFile(this.subject, path) as AsyncIterable<Buffer>) {
        hash.update(bytes);
        size += bytes.length;
        Atomics.add(counters, counterIndex.bytes, BigInt(bytes.length));
        await this.turns.acquire(this.limit, bytes.length, stopIfAborted);
      }
    } catch (error) {
      if (error instanceof StoppedError) return null;
      if (error instanceof StorageFailure && error.errno === 'ENOENT') return null;
      throw error;
    }
    return { type: 'file', size, sha256: hash.digest('hex') };
  }
}
