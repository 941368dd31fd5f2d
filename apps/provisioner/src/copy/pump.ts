import { read as readCallback, readSync, write as writeCallback, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import type { CopyFailure } from './copy-messages.js';
import type { Digests } from './digests.js';

const read = promisify(readCallback);
const write = promisify(writeCallback);

/** Files up to this size are copied with synchronous calls: other files keep the other threads busy. */
const synchronousBytes = 32 * 1024 * 1024;

/** The size of one synchronous read: small enough to stay in a core's cache until the piece is hashed and written. */
const pieceBytes = 256 * 1024;

/** The size of one read of a larger file. */
const bufferBytes = 4 * 1024 * 1024;

/** The size and alignment of the blocks that become holes if they contain only zeros. */
const holeBytes = 64 * 1024;
const zeros = Buffer.alloc(holeBytes);

const piece = Buffer.allocUnsafeSlow(pieceBytes);
let buffers: readonly [Buffer, Buffer] | null = null;

/** A failure of a copy, with the side that failed. */
export class CopyError extends Error {
  readonly failure: CopyFailure;

  constructor(side: CopyFailure['side'], cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(message);
    this.failure = { side, errno: code, message };
  }
}

/** Runs a call to one side. @throws CopyError */
export function on<T>(side: CopyFailure['side'], call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw error instanceof CopyError ? error : new CopyError(side, error);
  }
}

/** The source and the target of a pump. */
export interface PumpOptions {
  readonly input: number;
  /** Null if the bytes are only hashed. */
  readonly output: number | null;
  /** The expected number of bytes. */
  readonly size: number;
  /** Updated with every byte. */
  readonly digests: Digests;
  /** The position of the first byte, which is the beginning of the file by default. */
  readonly start?: number;
  /** Whether the bytes after `size` are not read. Otherwise the result shows whether the file is longer. */
  readonly isPrefix?: boolean;
  /** The position from which blocks of zeros become holes; undefined if none do. */
  readonly holesFrom?: number | undefined;
  /** Called when all bytes before a position are hashed and written. */
  readonly onWritten?: ((position: number) => void) | undefined;
  /** Called with the size of each piece. An error that it throws ends the copy. */
  readonly onBytes: (count: number) => void;
}

/**
 * Copies and hashes one file. Calls must not overlap, because all calls of a thread use the same buffers.
 *
 * @returns the position after the last byte, which differs from the expected size if the file changed
 */
export async function pump(options: PumpOptions): Promise<number> {
  const { size, start, isPrefix, holesFrom } = options;
  const isWhole = start === undefined && isPrefix !== true && holesFrom === undefined;
  return isWhole && size <= synchronousBytes ? pumpPieces(options) : pumpBuffers(options);
}

/** Copies a file in pieces, one step after another. This costs the least processor time. */
function pumpPieces({ input, output, size, digests, onBytes }: PumpOptions): number {
  let position = 0;
  while (position < size) {
    const count = on('source', () => readSync(input, piece, 0, Math.min(size - position, pieceBytes), null));
    if (count === 0) break;
    const bytes = piece.subarray(0, count);
    if (count === size) digests.hashWhole(bytes);
    else digests.update(bytes);
    if (output !== null)
      on('storage', () => {
        for (let done = 0; done < count;) done += writeSync(output, bytes, done, count - done);
      });
    onBytes(count);
    position += count;
  }
  return position;
}

/** Copies a file with two buffers: each buffer is read while the previous buffer is hashed and written. */
async function pumpBuffers({
  input,
  output,
  size,
  digests,
  start = 0,
  isPrefix = false,
  holesFrom = Number.POSITIVE_INFINITY,
  onBytes,
  onWritten,
}: PumpOptions): Promise<number> {
  buffers ??= [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)];
  const end = isPrefix ? size : Number.POSITIVE_INFINITY;
  let position = start;
  let [current, next] = buffers;
  let reading = readAt(input, current, position, end);
  try {
    for (let length = await reading; length > 0 && position <= size; length = await reading) {
      onBytes(length);
      const bytes = current.subarray(0, length);
      reading = readAt(input, next, position + length, end);
      reading.catch(() => undefined);
      const writeBytes = position >= holesFrom ? writeDense : writeAt;
      const writing = output === null ? null : writeBytes(output, bytes, position);
      writing?.catch(() => undefined);
      digests.update(bytes);
      await writing;
      position += length;
      onWritten?.(position);
      [current, next] = [next, current];
    }
    return position;
  } finally {
    // The caller closes the descriptor, and the next call reuses the buffer.
    await reading.catch(() => undefined);
  }
}

async function readAt(input: number, buffer: Buffer, position: number, end: number): Promise<number> {
  try {
    return (await read(input, buffer, 0, Math.min(buffer.length, end - position), position)).bytesRead;
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

/** Writes the blocks that do not contain only zeros. The other blocks become holes when the file's length is set. */
async function writeDense(output: number, bytes: Buffer, position: number): Promise<void> {
  let from = 0;
  for (let start = 0; start < bytes.length; start += holeBytes) {
    const end = Math.min(start + holeBytes, bytes.length);
    if (bytes.compare(zeros, 0, end - start, start, end) !== 0) continue;
    if (from < start) await writeAt(output, bytes.subarray(from, start), position + from);
    from = end;
  }
  if (from < bytes.length) await writeAt(output, bytes.subarray(from), position + from);
}
