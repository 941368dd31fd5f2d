/**
 * A copy thread. It imports nothing of ours but types and uses only syntax that Node can erase, so that it runs from the
 * build and from the sources alike.
 *
 * Small files are copied with synchronous calls, which is the fastest for many of them; large ones with two buffers, so
 * that reading, hashing and writing overlap. SHA-256 and what else is asked for are computed in the same pass.
 */
import { createHash, hash as digestOf, type Hash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  read as readCallback,
  readSync,
  unlinkSync,
  write as writeCallback,
  writeSync,
  type BigIntStats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parentPort } from 'node:worker_threads';
import type { CopyBatch, CopyFailure, CopyOrder, CopyOutcome, CopyReply } from './copy-messages.js';

const read = promisify(readCallback);
const write = promisify(writeCallback);

/** Files up to this size fit one buffer and take the synchronous way. */
const smallBytes = 1024 * 1024;
const largeBufferBytes = 4 * 1024 * 1024;
const abortedPlace = 0;
const bytesPlace = 1;
const publishedFileMode = 0o440;
const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

const smallBuffer = Buffer.allocUnsafeSlow(smallBytes + 1);
let largeBuffers: readonly [Buffer, Buffer] | null = null;

class CopyError extends Error {
  readonly failure: CopyFailure;

  constructor(side: CopyFailure['side'], cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(message);
    this.failure = { side, errno: code, message };
  }
}

function on<T>(side: CopyFailure['side'], call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw new CopyError(side, error);
  }
}

/** The source's folder of the files in hand, entered name by name without following a link. */
class SourceFolder {
  private readonly batch: CopyBatch;
  private readonly chain: { readonly name: string; readonly descriptor: number }[] = [];

  constructor(batch: CopyBatch) {
    this.batch = batch;
    this.chain.push({ name: '', descriptor: openSync(batch.source.root, constants.O_RDONLY | constants.O_DIRECTORY) });
    for (const name of batch.source.folders) this.enter(name);
  }

  openFile(path: string): number {
    const names = path.split('/');
    const file = names.pop() ?? '';
    this.moveTo(names);
    return openSync(this.pathOf(file), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  }

  close(): void {
    for (const { descriptor } of this.chain.splice(0)) closeSync(descriptor);
  }

  private moveTo(names: readonly string[]): void {
    const base = this.batch.source.folders.length + 1;
    let shared = 0;
    while (shared < names.length && this.chain[base + shared]?.name === names[shared]) shared += 1;
    for (const { descriptor } of this.chain.splice(base + shared)) closeSync(descriptor);
    for (const name of names.slice(shared)) this.enter(name);
  }

  private enter(name: string): void {
    this.chain.push({ name, descriptor: openSync(this.pathOf(name), folderFlags) });
  }

  private pathOf(name: string): string {
    return `/proc/self/fd/${String(this.chain.at(-1)?.descriptor)}/${name}`;
  }
}

/** One file on its way. */
class Transfer {
  private readonly batch: CopyBatch;
  private readonly order: CopyOrder;
  private readonly folder: SourceFolder;
  private readonly target: string;

  constructor(batch: CopyBatch, order: CopyOrder, folder: SourceFolder) {
    this.batch = batch;
    this.order = order;
    this.folder = folder;
    this.target = join(batch.target.folder, order.path);
  }

  async run(): Promise<CopyOutcome> {
    const { path } = this.order;
    try {
      return { path, digests: await this.copy() };
    } catch (error) {
      const failure = error instanceof CopyError ? error.failure : new CopyError('storage', error).failure;
      return { path, failure };
    }
  }

  private async copy(): Promise<Record<string, string>> {
    this.stopIfAborted();
    const input = on('source', () => this.folder.openFile(this.order.path));
    try {
      this.checkUnchanged(fstatSync(input, { bigint: true }));
      const output = on('storage', () => this.create());
      try {
        const digests =
          this.order.size <= smallBytes ? this.copySmall(input, output) : await this.copyLarge(input, output);
        this.checkUnchanged(on('source', () => fstatSync(input, { bigint: true })));
        const seconds = Number(this.order.mtimeNs) / 1e9;
        futimesSync(output, seconds, seconds);
        return digests;
      } finally {
        closeSync(output);
      }
    } finally {
      closeSync(input);
    }
  }

  private copySmall(input: number, output: number): Record<string, string> {
    const { size } = this.order;
    let length = 0;
    for (let count = -1; count !== 0 && length <= size; length += count) {
      const from = length;
      count = on('source', () => readSync(input, smallBuffer, from, size + 1 - from, null));
    }
    if (length !== size) throw changed(this.order.path);
    const bytes = smallBuffer.subarray(0, length);
    const digests = Object.fromEntries(this.algorithms().map((name) => [name, digestOf(name, bytes, 'hex')]));
    on('storage', () => {
      for (let done = 0; done < length;) done += writeSync(output, bytes, done, length - done);
    });
    this.count(length);
    return digests;
  }

  private async copyLarge(input: number, output: number): Promise<Record<string, string>> {
    largeBuffers ??= [Buffer.allocUnsafeSlow(largeBufferBytes), Buffer.allocUnsafeSlow(largeBufferBytes)];
    const hashes = new Map<string, Hash>(this.algorithms().map((name) => [name, createHash(name)]));
    const position = await this.pump(input, output, largeBuffers, hashes);
    if (position !== this.order.size) throw changed(this.order.path);
    fsyncSync(output);
    return Object.fromEntries([...hashes].map(([name, hash]) => [name, hash.digest('hex')]));
  }

  /** Reads the next buffer while this one is hashed and written. @returns the bytes copied */
  private async pump(
    input: number,
    output: number,
    buffers: readonly [Buffer, Buffer],
    hashes: ReadonlyMap<string, Hash>,
  ): Promise<number> {
    let position = 0;
    let [current, next] = buffers;
    let reading = readAt(input, current, 0);
    try {
      for (let length = await reading; length > 0; length = await reading) {
        this.stopIfAborted();
        const bytes = current.subarray(0, length);
        reading = readAt(input, next, position + length);
        reading.catch(() => undefined);
        const writing = writeAt(output, bytes, position);
        for (const hash of hashes.values()) hash.update(bytes);
        await writing;
        position += length;
        this.count(length);
        if (position > this.order.size) throw changed(this.order.path);
        [current, next] = [next, current];
      }
      return position;
    } finally {
      // A read still under way would go into a buffer, and through a descriptor, that others use next.
      await reading.catch(() => undefined);
    }
  }

  private algorithms(): string[] {
    return [...new Set(['sha256', ...this.order.algorithms])];
  }

  /** Makes the file anew, always as a new inode: whoever still writes to an older one cannot reach it. */
  private create(): number {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    try {
      return openSync(this.target, flags, publishedFileMode);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') makeFolder(this.batch.target.folder, dirname(this.target));
      else if (code === 'EEXIST') unlinkSync(this.target);
      else throw error;
      return openSync(this.target, flags, publishedFileMode);
    }
  }

  private checkUnchanged(stats: BigIntStats): void {
    const version = [stats.ino, stats.mtimeNs, stats.ctimeNs].join(':');
    const isSame = stats.isFile() && Number(stats.size) === this.order.size && version === this.order.version;
    if (!isSame) throw changed(this.order.path);
  }

  private stopIfAborted(): void {
    if (Atomics.load(this.batch.counters, abortedPlace) !== 0n) {
      throw new CopyError('aborted', new Error('The import was stopped.'));
    }
  }

  private count(bytes: number): void {
    Atomics.add(this.batch.counters, bytesPlace, BigInt(bytes));
  }
}

const changed = (path: string): CopyError =>
  new CopyError('changed', new Error(`${path} changed while it was copied.`));

/** Makes folders inside the staging folder, never the staging folder itself: if that is gone, somebody took over. */
function makeFolder(root: string, folder: string): void {
  if (folder === root) throw Object.assign(new Error('The staging folder is gone.'), { code: 'ENOENT' });
  try {
    mkdirSync(folder, 0o750);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') {
      chmodSync(folder, 0o750);
      return;
    }
    if (code !== 'ENOENT') throw error;
    makeFolder(root, dirname(folder));
    makeFolder(root, folder);
  }
}

async function readAt(input: number, buffer: Buffer, position: number): Promise<number> {
  try {
    return (await read(input, buffer, 0, buffer.length, position)).bytesRead;
  } catch (error) {
    throw new CopyError('source', error);
  }
}

async function writeAt(output: number, bytes: Buffer, position: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.length;) {
      done += (await write(output, bytes, done, bytes.length - done, position + done)).bytesWritten;
    }
  } catch (error) {
    throw new CopyError('storage', error);
  }
}

async function copyBatch(batch: CopyBatch): Promise<CopyReply> {
  let folder: SourceFolder;
  try {
    folder = on('source', () => new SourceFolder(batch));
  } catch (error) {
    const { failure } = error as CopyError;
    return { id: batch.id, outcomes: batch.orders.map(({ path }) => ({ path, failure })) };
  }
  try {
    const outcomes: CopyOutcome[] = [];
    for (const order of batch.orders) outcomes.push(await new Transfer(batch, order, folder).run());
    return { id: batch.id, outcomes };
  } finally {
    folder.close();
  }
}

/** One batch after the other: the buffers are the thread's. */
let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (batch: CopyBatch) => {
  last = last.then(async () => {
    parentPort?.postMessage(await copyBatch(batch));
  });
});
