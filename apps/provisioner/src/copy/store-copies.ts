import { Logger } from '@nestjs/common';
import type { SourceObjects, SourcePlace, SourceSystem } from '../model/source-system.js';
import { StorageFailure } from '../model/storage-failure.js';
import type { Attempt, CopyingStore, StoredFile } from '../model/storage.js';
import type { Copier } from './copier.js';
import { counterIndex, type CopyOrder, type CopyOutcome } from './copy-messages.js';
import { failureOf, stopIfAborted, StoppedError, type StreamPool } from './stream-pool.js';

type Counters = BigInt64Array<SharedArrayBuffer>;

/** A smaller file costs a store as much when it copies it as when it is sent it. */
const leastBytes = 4 * 1024 * 1024;

/** How often somebody looks whether a copy under way is still wanted. */
const lookMs = 200;

/** Has a store copy what it holds on both sides, as long as it does. */
export class StoreCopies {
  /** Set once the store has refused to copy what could be read and written: it is not asked again. */
  isRefused = false;
  private readonly logger = new Logger(StoreCopies.name);

  /** @param streams what reads the copies */
  constructor(private readonly streams: StreamPool) {}

  /** @param others what copies everything that no store does */
  between(source: SourceSystem, place: SourcePlace, attempt: Attempt, others: Copier): Copier {
    const objects = source.objectsOf(place);
    const { store } = attempt;
    if (!objects || objects.store !== store?.name) return others;
    const open: SourceSystem['open'] = (_, { path }, next) => attempt.read(path, next);
    const readers = this.streams.between({ open }, place, { write: checkLength });
    return new StoreCopier(this, { objects, store, readers, others });
  }

  /** @param reason in the words of the store */
  refuse(reason: string): void {
    if (!this.isRefused) this.logger.log(`Files are read and written, for the store does not copy them: ${reason}`);
    this.isRefused = true;
  }
}

interface Route {
  readonly objects: SourceObjects;
  readonly store: CopyingStore;
  readonly readers: Copier;
  readonly others: Copier;
}

/**
 * Has a store copy the large files of an import and hashes the copies: what was read is what is stored, and nothing is
 * sent. A file that the store does not copy is moved like the others; whether it was changed, or who may not do what, shows
 * there.
 */
class StoreCopier implements Copier {
  readonly capacity: number;

  constructor(
    private readonly copies: StoreCopies,
    private readonly route: Route,
  ) {
    this.capacity = route.others.capacity;
  }

  async copy(orders: readonly CopyOrder[], counters: Counters): Promise<readonly CopyOutcome[]> {
    const large = new Set(this.copies.isRefused ? [] : orders.filter(({ size }) => size >= leastBytes));
    const others = orders.filter((order) => !large.has(order));
    const [copied, moved] = await Promise.all([
      Promise.all([...large].map((order) => this.copyFile(order, counters))),
      this.route.others.copy(others, counters),
    ]);
    const [ofLarge, ofOthers] = [copied.values(), moved.values()];
    return orders.flatMap((order) => (large.has(order) ? ofLarge : ofOthers).next().value ?? []);
  }

  private async copyFile(order: CopyOrder, counters: Counters): Promise<CopyOutcome> {
    const { readers, others } = this.route;
    let refusal: string | null;
    try {
      refusal = await this.haveCopied(order, counters);
    } catch (error) {
      return { failure: failureOf(error) };
    }
    const [outcome] = await (refusal === null ? readers : others).copy([order], counters);
    if (!outcome) throw new Error(`Nothing is known of the copy of ${order.path}.`);
    if (refusal !== null && outcome.digests) this.copies.refuse(refusal);
    return outcome;
  }

  /** @returns null when the copy is there, else why not */
  private async haveCopied(order: CopyOrder, counters: Counters): Promise<string | null> {
    const stopped = new AbortController();
    const looking = setInterval(() => {
      if (Atomics.load(counters, counterIndex.aborted) !== 0n) stopped.abort();
    }, lookMs);
    try {
      stopIfAborted(counters);
      return await this.route.store.copyFrom(this.route.objects, order, stopped.signal);
    } catch (error) {
      throw stopped.signal.aborted ? new StoppedError('The import was stopped.') : error;
    } finally {
      clearInterval(looking);
    }
  }
}

/** Takes what is read of a copy. */
async function checkLength({ path, size }: StoredFile, content: AsyncIterable<Buffer>): Promise<void> {
  let length = 0;
  for await (const bytes of content) length += bytes.length;
  if (length !== size) throw new StorageFailure(`${path} is not as long as it was when the store copied it.`, 'EIO');
}
