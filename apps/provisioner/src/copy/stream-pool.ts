import { createHash } from 'node:crypto';
import { SourceChangedError, SourceFailure, type SourcePlace, type SourceSystem } from '../source/source-system.js';
import { StorageFailure } from '../storage/storage-failure.js';
import type { Attempt } from '../storage/storage.js';
import type { Copier } from './copier.js';
import { counterPlaces, type CopyFailure, type CopyOrder, type CopyOutcome } from './copy-messages.js';

type Counters = BigInt64Array<SharedArrayBuffer>;

/** Between which two sides files are copied. */
interface Route {
  readonly source: SourceSystem;
  readonly place: SourcePlace;
  readonly attempt: Attempt;
}

class StoppedError extends Error {}

/**
 * Copies through this process, from any source into any storage, so many files at once. Where the waiting is for a
 * network, threads would not help.
 */
export class StreamPool {
  private free: number;
  private readonly queue: (() => void)[] = [];

  /** @param size files at once, of all imports of the process together */
  constructor(private readonly size: number) {
    this.free = size;
  }

  between(source: SourceSystem, place: SourcePlace, attempt: Attempt): Copier {
    const route = { source, place, attempt };
    return {
      capacity: this.size,
      copy: (orders, counters) => Promise.all(orders.map((order) => this.copy(route, order, counters))),
    };
  }

  private async copy(route: Route, order: CopyOrder, counters: Counters): Promise<CopyOutcome> {
    await this.takeSlot();
    try {
      return await copyFile(route, order, counters);
    } finally {
      this.free += 1;
      this.queue.shift()?.();
    }
  }

  private async takeSlot(): Promise<void> {
    while (this.free === 0) await new Promise<void>((resolve) => this.queue.push(resolve));
    this.free -= 1;
  }
}

async function copyFile({ source, place, attempt }: Route, order: CopyOrder, counters: Counters): Promise<CopyOutcome> {
  const { path } = order;
  const names = new Set(['sha256', ...order.algorithms]);
  const hashes = [...names].map((name) => [name, createHash(name)] as const);
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const bytes of source.open(place, order)) {
      stopIfAborted(counters);
      for (const [, hash] of hashes) hash.update(bytes);
      yield bytes;
      Atomics.add(counters, counterPlaces.bytes, BigInt(bytes.length));
    }
  }
  try {
    stopIfAborted(counters);
    await attempt.write(order, hashed());
    return { path, digests: Object.fromEntries(hashes.map(([name, hash]) => [name, hash.digest('hex')])) };
  } catch (error) {
    return { path, failure: failureOf(error) };
  }
}

function stopIfAborted(counters: Counters): void {
  if (Atomics.load(counters, counterPlaces.aborted) !== 0n) throw new StoppedError('The import was stopped.');
}

/** @throws what is neither side's failure, as it came */
function failureOf(error: unknown): CopyFailure {
  const { message } = error as Error;
  if (error instanceof StoppedError) return { side: 'aborted', errno: undefined, message };
  if (error instanceof SourceChangedError) return { side: 'changed', errno: undefined, message };
  if (error instanceof SourceFailure) return { side: 'source', errno: error.errno, message };
  if (error instanceof StorageFailure) return { side: 'storage', errno: error.errno, message };
  throw error;
}
