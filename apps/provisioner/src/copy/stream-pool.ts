import { createHash } from 'node:crypto';
import { failpoint } from '../failpoint.js';
import { SourceChangedError, SourceFailure, type SourcePlace, type SourceSystem } from '../source/source-system.js';
import { StorageFailure } from '../storage/storage-failure.js';
import type { Attempt } from '../storage/storage.js';
import type { Copier } from './copier.js';
import { counterPlaces, type CopyFailure, type CopyOrder, type CopyOutcome } from './copy-messages.js';
import { Turns, type SharedLimit } from './rate-limit.js';
import type { RateLimit } from './rate-timetable.js';
import { Slots } from './slots.js';

type Counters = BigInt64Array<SharedArrayBuffer>;

/** Between which two sides files are copied. */
interface Route {
  readonly source: SourceSystem;
  readonly place: SourcePlace;
  readonly attempt: Attempt;
  readonly limit: SharedLimit;
  readonly turns: Turns;
}

class StoppedError extends Error {}

/**
 * Copies through this process, from any source into any storage, so many files at once. Where the waiting is for a
 * network, threads would not help.
 */
export class StreamPool {
  private readonly slots: Slots;

  /**
   * @param size files at once, of all imports of the process together
   * @param limit what they keep to, all of them together
   */
  constructor(
    size: number,
    private readonly limit: RateLimit,
  ) {
    this.slots = new Slots(size);
  }

  between(source: SourceSystem, place: SourcePlace, attempt: Attempt): Copier {
    const route = { source, place, attempt, limit: this.limit.shared, turns: new Turns() };
    return {
      // While the last files of a batch are noted, the next batch has the slots.
      capacity: 2 * this.slots.size,
      copy: (orders, counters) =>
        Promise.all(orders.map((order) => this.slots.run(() => copyFile(route, order, counters)))),
    };
  }
}

async function copyFile(
  { source, place, attempt, limit, turns }: Route,
  order: CopyOrder,
  counters: Counters,
): Promise<CopyOutcome> {
  const names = new Set(['sha256', ...order.algorithms]);
  const hashes = [...names].map((name) => [name, createHash(name)] as const);
  let digests: Record<string, string> = {};
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const bytes of source.open(place, order)) {
      stopIfAborted(counters);
      failpoint('mid_file');
      for (const [, hash] of hashes) hash.update(bytes);
      await turns.wait(limit, bytes.length, () => {
        stopIfAborted(counters);
      });
      yield bytes;
      Atomics.add(counters, counterPlaces.bytes, BigInt(bytes.length));
    }
    digests = Object.fromEntries(hashes.map(([name, hash]) => [name, hash.digest('hex')]));
  }
  const onResumed = (bytes: number): void => void Atomics.add(counters, counterPlaces.resumed, BigInt(bytes));
  try {
    stopIfAborted(counters);
    await attempt.write(order, hashed(), { onResumed, sha256: () => digests['sha256'] });
    return { digests };
  } catch (error) {
    return { failure: failureOf(error) };
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
