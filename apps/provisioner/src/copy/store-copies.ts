import { Logger } from '@nestjs/common';
import type { SourceObjects, SourcePlace, SourceSystem } from '../model/source-system.js';
import { StorageFailure } from '../model/storage-failure.js';
import type { CopyingStore, StoredFile, Workspace } from '../model/workspace.js';
import type { Copier } from './copier.js';
import { counterIndex, type CopyOrder, type CopyOutcome } from './copy-messages.js';
import { failureOf, stopIfAborted, StoppedError, type StreamPool } from './stream-pool.js';

type Counters = BigInt64Array<SharedArrayBuffer>;

/** The minimum size for a server-side copy. A copy of a smaller file costs the store as much as an upload. */
const leastBytes = 4 * 1024 * 1024;

/** The interval in milliseconds at which a running copy checks whether its import was stopped. */
const checkEveryMs = 200;

/** Server-side copies, for imports whose source and storage are in one store. */
export class StoreCopies {
  /** Whether the store has refused to copy a file that could be read and written. No further copy is requested. */
  isRefused = false;
  private readonly logger = new Logger(StoreCopies.name);

  /** @param streams that read the copies back */
  constructor(private readonly streams: StreamPool) {}

  /** Returns a copier from the source to the staging area. @param others the copier for files that no store copies */
  between(source: SourceSystem, place: SourcePlace, workspace: Workspace, others: Copier): Copier {
    const objects = source.objectsOf(place);
    const { store } = workspace;
    if (!objects || objects.store !== store?.name) return others;
    const open: SourceSystem['open'] = (_, { path }, next) => workspace.read(path, next);
    const readers = this.streams.between({ open }, place, { write: checkLength });
    return new StoreCopier(this, { objects, store, readers, others });
  }

  /** Ends server-side copies. @param reason the message of the store */
  refuse(reason: string): void {
    if (!this.isRefused) this.logger.log(`server-side copy unavailable, streaming instead: ${reason}`);
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
 * A copier that makes the store copy the large files of an import, and then reads and hashes the copies. If the store
 * refuses to copy a file, the file is streamed, which also reports a changed file or a missing permission.
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
    const [copied, streamed] = await Promise.all([
      Promise.all([...large].map((order) => this.copyFile(order, counters))),
      this.route.others.copy(others, counters),
    ]);
    const [ofLarge, ofOthers] = [copied.values(), streamed.values()];
    return orders.flatMap((order) => (large.has(order) ? ofLarge : ofOthers).next().value ?? []);
  }

  private async copyFile(order: CopyOrder, counters: Counters): Promise<CopyOutcome> {
    const { readers, others } = this.route;
    let refusal: string | null;
    try {
      refusal = await this.copyInStore(order, counters);
    } catch (error) {
      return { failure: failureOf(error) };
    }
    const [outcome] = await (refusal === null ? readers : others).copy([order], counters);
    if (!outcome) throw new Error(`The copy of ${order.path} has no outcome.`);
    if (refusal !== null && outcome.digests) this.copies.refuse(refusal);
    return outcome;
  }

  /** Requests a copy from the store. @returns null if the store made the copy, else the reason */
  private async copyInStore(order: CopyOrder, counters: Counters): Promise<string | null> {
    const stopped = new AbortController();
    const timer = setInterval(() => {
      if (Atomics.load(counters, counterIndex.aborted) !== 0n) stopped.abort();
    }, checkEveryMs);
    try {
      stopIfAborted(counters);
      return await this.route.store.copyFrom(this.route.objects, order, stopped.signal);
    } catch (error) {
      throw stopped.signal.aborted ? new StoppedError('The import was stopped.') : error;
    } finally {
      clearInterval(timer);
    }
  }
}

/** Reads a copy to its end. @throws StorageFailure if the copy has another length than the file */
async function checkLength({ path, size }: StoredFile, content: AsyncIterable<Buffer>): Promise<void> {
  let length = 0;
  for await (const bytes of content) length += bytes.length;
  if (length !== size) {
    const message = `the store's copy of ${path} has ${String(length)} bytes instead of ${String(size)}; check the store.`;
    throw new StorageFailure(message, 'EIO');
  }
}
