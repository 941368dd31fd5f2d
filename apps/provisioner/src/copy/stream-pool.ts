import { failpoint } from '../process/failpoint.js';
import {
  SourceChangedError,
  SourceFailure,
  type NextBuffer,
  type SourcePlace,
  type SourceSystem,
} from '../model/source-system.js';
import { StorageFailure } from '../model/storage-failure.js';
import type { StreamTarget, TargetLocation } from '../model/storage.js';
import type { Copier } from './copier.js';
import { counterIndex, type CopyFailure, type CopyOrder, type CopyOutcome } from './copy-messages.js';
import { Digests } from './digests.js';
import { landingBytes, LandingPool } from './landing-pool.js';
import type { LandingOrder } from './landing-messages.js';
import { BufferPool } from '../concurrency/part-memory.js';
import { RateLimiter } from './rate-limit.js';
import type { RateLimit } from './process-rate-limit.js';
import { Semaphore } from '../concurrency/semaphore.js';

type Counters = BigInt64Array<SharedArrayBuffer>;

/** Between which two sides files are copied. */
interface Route {
  readonly source: Pick<SourceSystem, 'open'>;
  readonly place: SourcePlace;
  readonly target: TargetLocation | StreamTarget;
  readonly turns: RateLimiter;
}

/** Files on their way over a network, for each thread that would copy them between folders. */
const streamsPerThread = 2;

/** What all that is being read may take; more files than can be read at once. */
const readBytes = 64 * 1024 * 1024;

/** Nobody wants the import any more. */
export class StoppedError extends Error {}

/**
 * Copies through this process, from any source into any storage, so many files at once. Where the waiting is for a
 * network, threads would not help; what goes into a folder they hash and write.
 */
export class StreamPool {
  private readonly slots: Semaphore;
  private readonly memory = new BufferPool(readBytes);
  private readonly landings: LandingPool;

  /**
   * @param threads of its own, of all imports of the process together; twice as many files are copied at once
   * @param limit what they keep to, all of them together
   */
  constructor(
    threads: number,
    private readonly limit: RateLimit,
  ) {
    this.slots = new Semaphore(threads * streamsPerThread);
    this.landings = new LandingPool(threads);
  }

  between(source: Route['source'], place: SourcePlace, target: TargetLocation | StreamTarget): Copier {
    const route = { source, place, target, turns: new RateLimiter() };
    return {
      // While the last files of a batch are noted, the next batch has the slots.
      capacity: 2 * this.slots.size,
      copy: (orders, counters) =>
        Promise.all(orders.map((order) => this.slots.run(() => this.copyFile(route, order, counters)))),
    };
  }

  /** Ends the threads; what is under way is rejected. */
  close(): Promise<void> {
    return this.landings.close();
  }

  private async copyFile(route: Route, order: CopyOrder, counters: Counters): Promise<CopyOutcome> {
    const memory = await this.memory.acquire(Math.min(order.size + 1, landingBytes));
    try {
      stopIfAborted(counters);
      const { target } = route;
      const open = (next: NextBuffer): AsyncIterable<Buffer> => this.read(route, order, counters, next);
      if (!('folder' in target)) {
        const content = open(() => Promise.resolve(memory));
        return await streamFile(target, order, content, counters);
      }
      const { size } = order;
      const onWritten = (bytes: number): void => void Atomics.add(counters, counterIndex.bytes, BigInt(bytes));
      return await this.landings.land({ order: landingOrder(target, order), size, memory, open, onWritten });
    } catch (error) {
      return { failure: failureOf(error) };
    } finally {
      this.memory.release(memory);
    }
  }

  /** What the source has, at the rate that is allowed, until the import is stopped. */
  private async *read(
    { source, place, turns }: Route,
    order: CopyOrder,
    counters: Counters,
    next: NextBuffer,
  ): AsyncGenerator<Buffer> {
    for await (const bytes of source.open(place, order, next)) {
      stopIfAborted(counters);
      failpoint('mid_file');
      await turns.acquire(this.limit.shared, bytes.length, () => {
        stopIfAborted(counters);
      });
      yield bytes;
    }
  }
}

function algorithmsOf({ algorithms }: CopyOrder): readonly string[] {
  return [...new Set(['sha256', ...algorithms])];
}

function landingOrder({ folder }: TargetLocation, order: CopyOrder): LandingOrder {
  const { path, mtimeNs, flush } = order;
  return { folder, path, mtimeNs, algorithms: algorithmsOf(order), flush };
}

async function streamFile(
  target: StreamTarget,
  order: CopyOrder,
  content: AsyncIterable<Buffer>,
  counters: Counters,
): Promise<CopyOutcome> {
  const computed = new Digests(algorithmsOf(order));
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

/** @throws StoppedError */
export function stopIfAborted(counters: Counters): void {
  if (Atomics.load(counters, counterIndex.aborted) !== 0n) throw new StoppedError('The import was stopped.');
}

/** @throws what is neither side's failure, as it came */
export function failureOf(error: unknown): CopyFailure {
  const { message } = error as Error;
  if (error instanceof StoppedError) return { side: 'aborted', errno: undefined, message };
  if (error instanceof SourceChangedError) return { side: 'changed', errno: undefined, message };
  if (error instanceof SourceFailure) return { side: 'source', errno: error.errno, message };
  if (error instanceof StorageFailure) return { side: 'storage', errno: error.errno, message };
  throw error;
}
