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

/** A checker that reads files through this process, because threads do not speed up waiting for a network. */
export class StreamChecker implements FileChecker {
  readonly capacity: number;
  private readonly limiter = new RateLimiter();

  constructor(
    private readonly storage: Storage,
    private readonly subject: Subject,
    private readonly permits: Semaphore,
    private readonly limit: SharedLimit,
  ) {
    this.capacity = permits.size;
  }

  check(entries: readonly ExpectedEntry[], counters: Counters): Promise<readonly (readonly Difference[])[]> {
    return Promise.all(
      entries.map((expected) =>
        this.permits.run(async () => differencesOf(expected, await this.inspect(expected, counters))),
      ),
    );
  }

  /** Reads a stored file. A store has no folders, so every folder counts as present. @returns null if the file is missing */
  private async inspect({ path, type }: ExpectedEntry, counters: Counters): Promise<ActualEntry | null> {
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
        await this.limiter.acquire(this.limit, bytes.length, stopIfAborted);
      }
    } catch (error) {
      if (error instanceof StoppedError) return null;
      if (error instanceof StorageFailure && error.errno === 'ENOENT') return null;
      throw error;
    }
    return { type: 'file', size, sha256: hash.digest('hex') };
  }
}
