/**
 * A copy thread. Its modules import nothing of ours but types, use only syntax that Node can erase, and are imported by
 * their own kind of name, so that they run from the build and from the sources alike.
 *
 * Most files are copied with synchronous calls, piece by piece while a piece is still in the processor's cache, which is
 * the fastest for many files; the largest with two buffers, so that reading, hashing and writing of one file overlap, or
 * as clones where the file system can share their blocks. SHA-256 and what else is asked for are computed in the same pass.
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
import { extname } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type * as ColumnsOfRows from '../concurrency/columns.js';
import type { CompactOutcome, CopyBatch, CopyFailure, CopyOrder, CopyOutcome } from './copy-messages.js';
import type * as DigestClass from './digests.js';
import type * as NewFiles from './new-file.js';
import type * as Pumps from './pump.js';
import type * as RateLimits from './rate-limit.js';
import type * as SourceFolders from './source-folder.js';
import type { Reply } from '../concurrency/thread-pool.js';

const sibling = async <T>(name: string): Promise<T> =>
  (await import(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url).href)) as T;

const { rowsOf } = await sibling<typeof ColumnsOfRows>('../concurrency/columns');
const { Digests } = await sibling<typeof DigestClass>('digests');
const { createNewInode, openNewFile, publishedFileMode } = await sibling<typeof NewFiles>('new-file');
const { CopyError, pump } = await sibling<typeof Pumps>('pump');
const { RateLimiter } = await sibling<typeof RateLimits>('rate-limit');
const { SourceFolder } = await sibling<typeof SourceFolders>('source-folder');

/** Files up to this size fit one buffer. */
const smallBytes = 1024 * 1024;
/** Files up to this size take the synchronous way: while there are others, every thread is busy without overlapping. */
const synchronousBytes = 32 * 1024 * 1024;
/** Smaller files are not looked at before they are copied, for holes or at all. */
const leastSparseBytes = 64 * 1024;
/** What a file that does not fit is copied by: little enough to stay in a core's cache until it is hashed and written. */
const pieceBytes = 256 * 1024;
const bytesPerBlock = 512n;
const abortedPlace = 0;
const bytesPlace = 1;
const specialModes = 0o7000n;

const smallBuffer = Buffer.allocUnsafeSlow(smallBytes);

const turns = new RateLimiter();

/** Devices of the source from which nothing can be cloned into the storage. */
const unclonable = new Set<bigint>();

function on<T>(side: CopyFailure['side'], call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw error instanceof CopyError ? error : new CopyError(side, error);
  }
}

/** One file on its way. */
class Transfer {
  private readonly batch: CopyBatch;
  private readonly order: CopyOrder;
  private readonly folder: SourceFolders.SourceFolder;
  private readonly target: string;
  private readonly algorithms: readonly string[];

  constructor(batch: CopyBatch, order: CopyOrder, folder: SourceFolders.SourceFolder) {
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

  /** Shares the source's blocks, all of one instant. @returns a descriptor of the clone, or null where there is none */
  private clone(input: number, { dev, mode }: BigIntStats): number | null {
    if (this.order.size <= smallBytes || unclonable.has(dev) || (mode & specialModes) !== 0n) return null;
    const how = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE;
    try {
      createNewInode(this.batch.target.folder, this.order.path, (target) => {
        copyFileSync(`/proc/self/fd/${String(input)}`, target, how);
      });
    } catch (error) {
      // Whatever else is wrong shows again when the bytes are copied. This one file is refused where Btrfs writes it in place.
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
    let left = this.order.size;
    const onBytes = (count: number): void => {
      this.takeTurn(count);
      left -= count;
      if (left < 0) throw changed(this.order.path);
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
    this.takeTurn(bytes.length);
    return digests;
  }

  /** @param output null where bytes are hashed only */
  private copyPieces(input: number, output: number | null): Record<string, string> {
    const digests = new Digests(this.algorithms);
    for (let left = this.order.size; left > 0;) {
      const bytes = this.readPiece(input, Math.min(left, pieceBytes));
      digests.update(bytes);
      if (output !== null) this.writePiece(output, bytes);
      this.takeTurn(bytes.length);
      left -= bytes.length;
    }
    return digests.hex();
  }

  /** The next so many bytes of the source, in the thread's one buffer. */
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

  /** Before a copy it saves what would be in vain; that the copy is of one state, only the look after it can tell. */
  private checkUnchanged(input: number): BigIntStats {
    const stats = on('source', () => fstatSync(input, { bigint: true }));
    const version = `${String(stats.ino)}:${String(stats.mtimeNs)}:${String(stats.ctimeNs)}`;
    const isSame = stats.isFile() && Number(stats.size) === this.order.size && version === this.order.version;
    if (!isSame) throw changed(this.order.path);
    return stats;
  }

  /** Counts bytes that moved, and waits for as long as the rate limit wants. */
  private takeTurn(bytes: number): void {
    this.stopIfAborted();
    Atomics.add(this.batch.counters, bytesPlace, BigInt(bytes));
    turns.acquireSync(this.batch.limit, bytes, () => {
      this.stopIfAborted();
    });
  }

  private stopIfAborted(): void {
    if (Atomics.load(this.batch.counters, abortedPlace) !== 0n) {
      throw new CopyError('aborted', new Error('The import was stopped.'));
    }
  }
}

const changed = (path: string): Pumps.CopyError =>
  new CopyError('changed', new Error(`${path} changed while it was copied.`));

async function copyBatch(batch: CopyBatch): Promise<readonly CompactOutcome[]> {
  let folder: SourceFolders.SourceFolder;
  try {
    folder = on('source', () => new SourceFolder(batch.source));
  } catch (error) {
    const { failure } = error as Pumps.CopyError;
    return batch.orders.path.map(() => ({ failure }));
  }
  try {
    const answers: CompactOutcome[] = [];
    for (const order of rowsOf(batch.orders)) answers.push(answerOf(await new Transfer(batch, order, folder).run()));
    return answers;
  } finally {
    folder.close();
  }
}

function answerOf(outcome: CopyOutcome): CompactOutcome {
  const { sha256, ...others } = outcome.digests ?? {};
  return sha256 !== undefined && Object.keys(others).length === 0 ? sha256 : outcome;
}

/** One batch after the other: the buffers are the thread's. */
let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (batch: CopyBatch) => {
  last = last.then(async () => {
    const outcomes = await copyBatch(batch);
    parentPort?.postMessage({ id: batch.id, outcomes } satisfies Reply<CompactOutcome>);
  });
});
