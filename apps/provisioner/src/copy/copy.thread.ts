/**
 * A copy thread. `startThread` states the rules for its modules.
 *
 * Files are cloned if the file system can share blocks. Other files are copied with synchronous calls, in pieces that
 * stay in the processor's cache, which is the fastest way for many files. The largest and the sparse files are copied
 * with two buffers, so that reading, hashing and writing overlap. Digests are computed in the same pass.
 */
import { hash as digestOf } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readSync,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { rowsOf } from '../concurrency/columns.js';
import type { Reply } from '../concurrency/thread-pool.js';
import type { CompactOutcome, CopyBatch, CopyFailure, CopyOrder, CopyOutcome } from './copy-messages.js';
import { counterIndex } from './copy-messages.js';
import { Digests } from './digests.js';
import { createNewInode, openNewFile, publishedFileMode } from './new-file.js';
import { CopyError, pump } from './pump.js';
import { RateLimiter } from './rate-limit.js';
import { SourceFolder } from './source-folder.js';

/** Files up to this size fit one buffer. */
const smallBytes = 1024 * 1024;
/** Files up to this size are copied with synchronous calls: other files keep the other threads busy. */
const synchronousBytes = 32 * 1024 * 1024;
/** Smaller files are not inspected before the copy, neither for holes nor for changes. */
const leastSparseBytes = 64 * 1024;
/** The size of one synchronous read: small enough to stay in a core's cache until the piece is hashed and written. */
const pieceBytes = 256 * 1024;
const bytesPerBlock = 512n;
const specialModes = 0o7000n;

const smallBuffer = Buffer.allocUnsafeSlow(smallBytes);

const limiter = new RateLimiter();

/** Devices of the source whose files cannot be cloned into the storage. */
const unclonable = new Set<bigint>();

function on<T>(side: CopyFailure['side'], call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw error instanceof CopyError ? error : new CopyError(side, error);
  }
}

/** The copy of one file. */
class Transfer {
  private readonly batch: CopyBatch;
  private readonly order: CopyOrder;
  private readonly folder: SourceFolder;
  private readonly target: string;
  private readonly algorithms: readonly string[];

  constructor(batch: CopyBatch, order: CopyOrder, folder: SourceFolder) {
    this.batch = batch;
    this.order = order;
    this.folder = folder;
    this.target = `${batch.target.folder}/${order.path}`;
    this.algorithms = [...new Set(['sha256', ...order.algorithms])];
  }

  async run(): Promise<CopyOutcome> {
    try {
      return { digests: await this.copy() };
    } catch (error) {
      return { failure: error instanceof CopyError ? error.failure : new CopyError('storage', error).failure };
    }
  }

  private async copy(): Promise<Record<string, string>> {
    this.stopIfAborted();
    const input = on('source', () => this.folder.openFile(this.order.path));
    try {
      const stats = this.order.size < leastSparseBytes ? null : this.checkUnchanged(input);
      const clone = stats && this.clone(input, stats);
      const output = clone ?? on('storage', () => openNewFile(this.batch.target.folder, this.order.path));
      try {
        const digests = await (clone === null ? this.copyBytes(input, output, stats) : this.hashBytes(clone));
        this.checkUnchanged(input);
        const seconds = Number(this.order.mtimeNs) / 1e9;
        futimesSync(output, seconds, seconds);
        if (this.order.flush) fsyncSync(output);
        return digests;
      } finally {
        on('storage', () => {
          closeSync(output);
        });
      }
    } finally {
      on('source', () => {
        closeSync(input);
      });
    }
  }

  /** Clones the source's blocks at one instant. @returns a descriptor of the clone; null if cloning is impossible */
  private clone(input: number, { dev, mode }: BigIntStats): number | null {
    if (this.order.size <= smallBytes || unclonable.has(dev) || (mode & specialModes) !== 0n) return null;
    const how = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE;
    try {
      createNewInode(this.batch.target.folder, this.order.path, (target) => {
        copyFileSync(`/proc/self/fd/${String(input)}`, target, how);
      });
    } catch (error) {
      // EINVAL concerns only this file, which Btrfs updates in place. Other problems recur when the bytes are copied.
      if ((error as NodeJS.ErrnoException).code !== 'EINVAL') unclonable.add(dev);
      return null;
    }
    const descriptor = on('storage', () => openSync(this.target, constants.O_RDONLY | constants.O_NOFOLLOW));
    fchmodSync(descriptor, publishedFileMode);
    return descriptor;
  }

  private async hashBytes(clone: number): Promise<Record<string, string>> {
    return this.order.size <= synchronousBytes ? this.copyPieces(clone, null) : this.pumped(clone, null, false);
  }

  private async copyBytes(input: number, output: number, stats: BigIntStats | null): Promise<Record<string, string>> {
    const { size } = this.order;
    const isSparse = stats !== null && stats.blocks * bytesPerBlock < BigInt(size);
    if (size <= smallBytes && !isSparse) return this.copySmall(input, output);
    if (size <= synchronousBytes && !isSparse) return this.copyPieces(input, output);
    const digests = await this.pumped(input, output, isSparse);
    if (isSparse)
      on('storage', () => {
        ftruncateSync(output, size);
      });
    return digests;
  }

  private async pumped(input: number, output: number | null, keepHoles: boolean): Promise<Record<string, string>> {
    let remaining = this.order.size;
    const onBytes = (count: number): void => {
      this.countMoved(count);
      remaining -= count;
      if (remaining < 0) throw changed(this.order.path);
    };
    const digests = new Digests(this.algorithms);
    const length = await pump({ input, output, digests, keepHoles, onBytes });
    if (length !== this.order.size) throw changed(this.order.path);
    return digests.hex();
  }

  private copySmall(input: number, output: number): Record<string, string> {
    const bytes = this.readPiece(input, this.order.size);
    const digests: Record<string, string> = {};
    for (const name of this.algorithms) digests[name] = digestOf(name, bytes, 'hex');
    this.writePiece(output, bytes);
    this.countMoved(bytes.length);
    return digests;
  }

  /** @param output null if the bytes are only hashed */
  private copyPieces(input: number, output: number | null): Record<string, string> {
    const digests = new Digests(this.algorithms);
    for (let remaining = this.order.size; remaining > 0;) {
      const bytes = this.readPiece(input, Math.min(remaining, pieceBytes));
      digests.update(bytes);
      if (output !== null) this.writePiece(output, bytes);
      this.countMoved(bytes.length);
      remaining -= bytes.length;
    }
    return digests.hex();
  }

  /** Reads exactly `length` bytes of the source into the thread's buffer. */
  private readPiece(input: number, length: number): Buffer {
    for (let done = 0; done < length;) {
      const from = done;
      const count = on('source', () => readSync(input, smallBuffer, from, length - from, null));
      if (count === 0) throw changed(this.order.path);
      done += count;
    }
    return smallBuffer.subarray(0, length);
  }

  private writePiece(output: number, bytes: Buffer): void {
    on('storage', () => {
      for (let done = 0; done < bytes.length;) done += writeSync(output, bytes, done, bytes.length - done);
    });
  }

  /** Compares the file with its order. The check after the copy proves that the file did not change during the copy. */
  private checkUnchanged(input: number): BigIntStats {
    const stats = on('source', () => fstatSync(input, { bigint: true }));
    const version = `${String(stats.ino)}:${String(stats.mtimeNs)}:${String(stats.ctimeNs)}`;
    const isSame = stats.isFile() && Number(stats.size) === this.order.size && version === this.order.version;
    if (!isSame) throw changed(this.order.path);
    return stats;
  }

  /** Counts copied bytes and waits for the rate limit. */
  private countMoved(bytes: number): void {
    this.stopIfAborted();
    Atomics.add(this.batch.counters, counterIndex.bytes, BigInt(bytes));
    limiter.acquireSync(this.batch.limit, bytes, () => {
      this.stopIfAborted();
    });
  }

  private stopIfAborted(): void {
    if (Atomics.load(this.batch.counters, counterIndex.aborted) !== 0n) {
      throw new CopyError('aborted', new Error('The import was stopped.'));
    }
  }
}

const changed = (path: string): CopyError =>
  new CopyError('changed', new Error(`${path} changed while it was copied.`));

async function copyBatch(batch: CopyBatch): Promise<readonly CompactOutcome[]> {
  let folder: SourceFolder;
  try {
    folder = on('source', () => new SourceFolder(batch.source));
  } catch (error) {
    const { failure } = error as CopyError;
    return batch.orders.path.map(() => ({ failure }));
  }
  try {
    const outcomes: CompactOutcome[] = [];
    for (const order of rowsOf(batch.orders)) outcomes.push(compact(await new Transfer(batch, order, folder).run()));
    return outcomes;
  } finally {
    folder.close();
  }
}

function compact(outcome: CopyOutcome): CompactOutcome {
  const { sha256, ...others } = outcome.digests ?? {};
  return sha256 !== undefined && Object.keys(others).length === 0 ? sha256 : outcome;
}

/** The last batch received. Batches run one after another, because they share the thread's buffers. */
let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (batch: CopyBatch) => {
  last = last.then(async () => {
    const outcomes = await copyBatch(batch);
    parentPort?.postMessage({ id: batch.id, outcomes } satisfies Reply<CompactOutcome>);
  });
});
