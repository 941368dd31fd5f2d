/**
 * A copy thread. `startThread` states the rules for its modules.
 *
 * Files are cloned if the file system can share blocks, and the clone is hashed. Other files are copied and hashed in one
 * pass.
 */
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
  type BigIntStats,
} from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { CopyBatch, CopyOrder, CopyOutcome } from './copy-messages.js';
import { counterIndex } from './copy-messages.js';
import { Digests } from './digests.js';
import { createNewInode, openNewFile, publishedFileMode } from './new-file.js';
import { CopyError, on, pump } from './pump.js';
import { RateLimiter } from './rate-limit.js';
import { SourceFolder } from './source-folder.js';

/** Smaller files are not cloned, because a copy is as fast. */
const leastCloneBytes = 1024 * 1024;
/** Smaller files are not inspected before the copy, neither for holes nor for changes. */
const leastSparseBytes = 64 * 1024;
const bytesPerBlock = 512n;
const specialModes = 0o7000n;

const limiter = new RateLimiter();

/** Devices of the source whose files cannot be cloned into the storage. */
const unclonable = new Set<bigint>();

/** The copy of one file. */
class Transfer {
  private readonly batch: CopyBatch;
  private readonly order: CopyOrder;
  private readonly folder: SourceFolder;
  private readonly target: string;

  constructor(batch: CopyBatch, order: CopyOrder, folder: SourceFolder) {
    this.batch = batch;
    this.order = order;
    this.folder = folder;
    this.target = `${batch.target.folder}/${order.path}`;
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
        const digests = await (clone === null ? this.copyBytes(input, output, stats) : this.pumped(clone, null));
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
    if (this.order.size <= leastCloneBytes || unclonable.has(dev) || (mode & specialModes) !== 0n) return null;
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

  private async copyBytes(input: number, output: number, stats: BigIntStats | null): Promise<Record<string, string>> {
    const { size } = this.order;
    const isSparse = stats !== null && stats.blocks * bytesPerBlock < BigInt(size);
    const digests = await this.pumped(input, output, isSparse);
    if (isSparse)
      on('storage', () => {
        ftruncateSync(output, size);
      });
    return digests;
  }

  /** Copies and hashes the bytes. @param output null if the bytes are only hashed */
  private async pumped(input: number, output: number | null, keepHoles = false): Promise<Record<string, string>> {
    const { size, algorithms, path } = this.order;
    const digests = new Digests(algorithms);
    const onBytes = (count: number): void => {
      this.countMoved(count);
    };
    const length = await pump({ input, output, size, digests, keepHoles, onBytes });
    if (length !== size) throw changed(path);
    return digests.hex();
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

async function copyBatch(batch: CopyBatch): Promise<readonly CopyOutcome[]> {
  let folder: SourceFolder;
  try {
    folder = on('source', () => new SourceFolder(batch.source));
  } catch (error) {
    const { failure } = error as CopyError;
    return batch.orders.map(() => ({ failure }));
  }
  try {
    const outcomes: CopyOutcome[] = [];
    for (const order of batch.orders) outcomes.push(await new Transfer(batch, order, folder).run());
    return outcomes;
  } finally {
    folder.close();
  }
}

parentPort?.on('message', (batch: CopyBatch) => {
  void copyBatch(batch).then((outcomes) => parentPort?.postMessage(outcomes));
});
