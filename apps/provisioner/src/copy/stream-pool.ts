import { failpoint } from '../process/failpoint.js';
import {
  SourceChangedError,
  SourceFailure,
  type NextBuffer,
  type SourcePlace,
  type SourceSystem,
} from '../model/source-system.js';
import { StorageFailure } from '../model/storage-failure.js';
import type { StreamTarget } from '../model/workspace.js';
import type { Copier } from './copier.js';
import { counterIndex, type CopyFailure, type CopyOrder, type CopyOutcome } from './copy-messages.js';
import { Digests } from './digests.js';
import { BufferPool } from '../concurrency/buffer-pool.js';
import { RateLimiter } from './rate-limit.js';
import type { RateLimit } from './process-rate-limit.js';
import { Semaphore } from '../concurrency/semaphore.js';

type Counters = BigInt64Array<SharedArrayBuffer>;

/** The source and the target of a copier. */
interface Route {
  readonly source: Pick<SourceSystem, 'open'>;
  readonly place: SourcePlace;
  readonly target: StreamTarget;
  readonly limiter: RateLimiter;
}

/** Concurrent streams for each thread, because a stream mostly waits for the network. */
const streamsPerThread = 2;

/** The size of the receive buffer of a file. */
const bufferBytes = 1024 * 1024;

/** Memory for the receive buffers of all files. It suffices for every concurrent stream. */
const readBytes = 64 * 1024 * 1024;

/** The import was stopped. */
export class StoppedError extends Error {}

/**
 * Copies files through this process, from any source to any storage. The process moves the bytes itself, because threads
 * do not speed up waiting for a network.
 */
export class StreamPool {
  private readonly permits: Semaphore;
  private readonly memory = new BufferPool(readBytes);

  /**
   * @param threads the setting COPY_THREADS; twice as many files are copied concurrently
   * @param limit shared by all copies
   */
  constructor(
    threads: number,
    private readonly limit: RateLimit,
  ) {
    this.permits = new Semaphore(threads * streamsPerThread);
  }

  between(source: Route['source'], place: SourcePlace, target: StreamTarget): Copier {
    const route = { source, place, target, limiter: new RateLimiter() };
    return {
      // While one batch is being recorded as finished, the next batch uses the permits.
      capacity: 2 * this.permits.size,
      copy: (orders, counters) =>
        Promise.all(orders.map((order) => this.permits.run(() => this.copyFile(route, order, counters)))),
    };
  }

  private async copyFile(route: Route, order: CopyOrder, counters: Counters): Promise<CopyOutcome> {
    const memory = await this.memory.acquire(Math.min(order.size + 1, bufferBytes));
    try {
      stopIfAborted(counters);
      const content = this.read(route, order, counters, () => Promise.resolve(memory));
      return await streamFile(route.target, order, content, counters);
    } catch (error) {
      return { failure: failureOf(error) };
    } finally {
      this.memory.release(memory);
    }
  }

  /** Reads a file of the source at the allowed rate. @throws StoppedError if the import is stopped */
  private async *read(
    { source, place, limiter }: Route,
    order: CopyOrder,
    counters: Counters,
    next: NextBuffer,
  ): AsyncGenerator<Buffer> {
    for await (const bytes of source.open(place, order, next)) {
      stopIfAborted(counters);
      failpoint('mid_file');
      await limiter.acquire(this.limit.shared, bytes.length, () => {
        stopIfAborted(counters);
      });
      yield bytes;
    }
  }
}

async function streamFile(
  target: StreamTarget,
  order: CopyOrder,
  content: AsyncIterable<Buffer>,
  counters: Counters,
): Promise<CopyOutcome> {
  const computed = new Digests(order.algorithms);
  let digests: Record<string, string> = {};
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const bytes of content) {
      computed.update(bytes);
      yield bytes;
      Atomics.add(counters, counterIndex.bytes, BigInt(bytes.length));
    }
    digests = computed.hex();
  }
  const onResumed = (bytes: number): void => void Atomics.add(counters, counterIndex.resumed, BigInt(bytes));
  await target.write(order, hashed(), { onResumed, sha256: () => digests['sha256'] });
  return { digests };
}

/** @throws StoppedError if the import was stopped */
export function stopIfAborted(counters: Counters): void {
  if (Atomics.load(counters, counterIndex.aborted) !== 0n) throw new StoppedError('The import was stopped.');
}

/** Returns the failure of the source or the storage that an error represents. @throws the error if it is another one */
export function failureOf(error: unknown): CopyFailure {
  const { message } = error as Error;
  if (error instanceof StoppedError) return { side: 'aborted', errno: undefined, message };
  if (error instanceof SourceChangedError) return { side: 'changed', errno: undefined, message };
  if (error instanceof SourceFailure) return { side: 'source', errno: error.errno, message };
  if (error instanceof StorageFailure) return { side: 'storage', errno: error.errno, message };
  throw error;
}
