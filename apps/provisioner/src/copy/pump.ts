import { read as readCallback, write as writeCallback } from 'node:fs';
import { promisify } from 'node:util';
import type { CopyFailure } from './copy-messages.js';
import type { Digests } from './digests.js';

const read = promisify(readCallback);
const write = promisify(writeCallback);

/** What is read at once. */
const bufferBytes = 4 * 1024 * 1024;

/** Holes are looked for in blocks of so many bytes, at multiples of it. */
const holeBytes = 64 * 1024;
const zeros = Buffer.alloc(holeBytes);

let buffers: readonly [Buffer, Buffer] | null = null;

/** A copy that failed, and on which side. */
export class CopyError extends Error {
  readonly failure: CopyFailure;

  constructor(side: CopyFailure['side'], cause: unknown) {
    const { code, message } = cause as NodeJS.ErrnoException;
    super(message);
    this.failure = { side, errno: code, message };
  }
}

/** What is read, and where it goes. */
export interface PumpOptions {
  readonly input: number;
  /** Null where bytes are hashed only. */
  readonly output: number | null;
  /** Told of every byte. */
  readonly digests: Digests;
  /** Whether blocks of zeros become holes. */
  readonly keepHoles: boolean;
  /** Called before each buffer is written; what it throws ends the copy. */
  readonly onBytes: (count: number) => void;
}

/**
 * Copies and hashes one file, each buffer read while the one before is hashed and written. One call at a time: the two
 * buffers are the thread's.
 *
 * @returns the length
 */
export async function pump({ input, output, digests, keepHoles, onBytes }: PumpOptions): Promise<number> {
  buffers ??= [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)];
  let position = 0;
  let [current, next] = buffers;
  let reading = readAt(input, current, 0);
  try {
    for (let length = await reading; length > 0; length = await reading) {
      onBytes(length);
      const bytes = current.subarray(0, length);
      reading = readAt(input, next, position + length);
      reading.catch(() => undefined);
      const writing = output === null ? null : (keepHoles ? writeDense : writeAt)(output, bytes, position);
      writing?.catch(() => undefined);
      digests.update(bytes);
      await writing;
      position += length;
      [current, next] = [next, current];
    }
    return position;
  } finally {
    // A read still under way would go into a buffer, and through a descriptor, that others use next.
    await reading.catch(() => undefined);
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

/** Writes what is not all zeros; the rest becomes holes once the file is given its length. */
async function writeDense(output: number, bytes: Buffer, position: number): Promise<void> {
  let from = 0;
  for (let at = 0; at < bytes.length; at += holeBytes) {
    const end = Math.min(at + holeBytes, bytes.length);
    if (bytes.compare(zeros, 0, end - at, at, end) !== 0) continue;
    if (from < at) await writeAt(output, bytes.subarray(from, at), position + from);
    from = end;
  }
  if (from < bytes.length) await writeAt(output, bytes.subarray(from), position + from);
}
