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
  lstatSync,
  openSync,
  type BigIntStats,
} from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { CopyBatch, CopyOrder, CopyOutcome } from './copy-messages.js';
import { counterIndex } from './copy-messages.js';
import { Digests } from './digests.js';
import { createNewInode, openNewFile, publishedFileMode } from './new-file.js';
import { isVersionConclusive, PartNotes } from './part-notes.js';
import { CopyError, on, pump } from './pump.js';
import { RateLimiter } from './rate-limit.js';
import { reopenPart, type Part } from './staged-part.js';
import { SourceFolder } from './source-folder.js';

/** Smaller files are not cloned, because a copy is as fast. */
const leastCloneBytes = 1024 * 1024;
/** Smaller files are not inspected before the copy, neither for holes nor for changes. */
const leastSparseBytes = 64 * 1024;
const bytesPerBlock = 512n;
const specialModes = 0o7000n;

/** The time in milliseconds for which a check that the file was not taken over is valid. */
const ownedForMs = 200;

const limiter = new RateLimiter();

/** Devices of the source whose files cannot be cloned into the storage. */
const unclonable = new Set<bigint>();

/** The copy of one file. */
class Transfer {
  private readonly batch: CopyBatch;
  private readonly order: CopyOrder;
  private readonly folder: SourceFolder;
  private readonly target: string;
  private ownedAt = performance.now();

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
      const part = await this.openPart(input, stats);
      try {
        const digests = await this.copyBytes(input, part, stats);
        this.checkUnchanged(input);
        this.setTimes(part.output);
        if (this.order.flush) fsyncSync(part.output);
        return digests;
      } finally {
        on('storage', () => {
          closeSync(part.output);
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

  /** Opens the part that an earlier attempt has staged; otherwise a clone, or else a new file. */
  private async openPart(input: number, stats: BigIntStats | null): Promise<Part> {
    const { target } = this.batch;
    const { order } = this;
    const staged = order.flush
      ? await reopenPart(target, order, (count) => {
          this.countHashed(count);
        })
      : null;
    if (staged) {
      Atomics.add(this.batch.counters, counterIndex.resumed, BigInt(staged.bytes));
      return staged;
    }
    const digests = new Digests(order.algorithms);
    const clone = stats && this.clone(input, stats);
    if (clone !== null) return { output: clone, digests, bytes: 0, length: order.size, isClone: true };
    const output = on('storage', () => openNewFile(target.folder, order.path));
    return { output, digests, bytes: 0, length: 0, isClone: false };
  }

  /** Copies the bytes after the part and hashes them, or hashes a clone. */
  private async copyBytes(input: number, part: Part, stats: BigIntStats | null): Promise<Record<string, string>> {
    const { size, path } = this.order;
    const { output, digests, bytes: start, length, isClone } = part;
    const isSparse = !isClone && stats !== null && stats.blocks * bytesPerBlock < BigInt(size);
    const notes = isClone ? null : this.notesAbout(part, stats);
    const options = {
      ...(isClone ? { input: output, output: null } : { input, output }),
      ...{ size, digests, ...(start > 0 && { start }) },
      // An earlier attempt may have left other bytes than zeros after the part, for example if the machine crashed.
      holesFrom: isSparse ? length : undefined,
      onBytes: (count: number) => {
        this.countMoved(count);
      },
      onWritten: (position: number) => {
        notes?.written(position);
      },
    };
    try {
      if ((await pump(options)) !== size) throw changed(path);
      await notes?.settle();
    } catch (error) {
      await (isAbort(error) ? notes?.stop() : notes?.settle().catch(() => undefined));
      if (isOwnerGone(error)) this.setTimes(output);
      throw error;
    }
    if (isSparse)
      on('storage', () => {
        ftruncateSync(output, size);
      });
    return digests.hex();
  }

  /** Returns the notes about a large file, unless its version may hide a change. */
  private notesAbout({ output, digests }: Part, stats: BigIntStats | null): PartNotes | null {
    if (!this.order.flush || !stats || !isVersionConclusive(Number(stats.ctimeMs))) return null;
    return new PartNotes(this.batch.target, this.order, output, digests);
  }

  private setTimes(output: number): void {
    const seconds = Number(this.order.mtimeNs) / 1e9;
    futimesSync(output, seconds, seconds);
  }

  /** Compares the file with its order. The check after the copy proves that the file did not change during the copy. */
  private checkUnchanged(input: number): BigIntStats {
    const stats = on('source', () => fstatSync(input, { bigint: true }));
    const version = `${String(stats.ino)}:${String(stats.mtimeNs)}:${String(stats.ctimeNs)}`;
    const isSame = stats.isFile() && Number(stats.size) === this.order.size && version === this.order.version;
    if (!isSame) throw changed(this.order.path);
    return stats;
  }

  /** Counts the bytes of a staged part that is read again. Negative if the part is not used. */
  private countHashed(bytes: number): void {
    this.stopIfAborted();
    Atomics.add(this.batch.counters, counterIndex.bytes, BigInt(bytes));
  }

  /** Counts copied bytes and waits for the rate limit. */
  private countMoved(bytes: number): void {
    this.countHashed(bytes);
    limiter.acquireSync(this.batch.limit, bytes, () => {
      this.stopIfAborted();
    });
    if (this.order.flush) this.checkOwned();
  }

  /**
   * Checks that no other attempt has taken over the file. Another attempt may continue the same inode, and publish it. The
   * bytes that this attempt writes until it notices are the same, because both copy the same version of the file.
   */
  private checkOwned(): void {
    const now = performance.now();
    if (now - this.ownedAt < ownedForMs) return;
    on('storage', () => lstatSync(this.target));
    this.ownedAt = now;
  }

  private stopIfAborted(): void {
    if (Atomics.load(this.batch.counters, counterIndex.aborted) !== 0n) {
      throw new CopyError('aborted', new Error('The import was stopped.'));
    }
  }
}

/** Returns whether a copy ended because its import was stopped. */
function isAbort(error: unknown): boolean {
  return error instanceof CopyError && error.failure.side === 'aborted';
}

/** Returns whether a copy ended because another attempt has taken over its staging folder. */
function isOwnerGone(error: unknown): boolean {
  return error instanceof CopyError && error.failure.side === 'storage' && error.failure.errno === 'ENOENT';
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
