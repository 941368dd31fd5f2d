/**
 * Reads small files with synchronous calls, which is the fastest way for many files. This thread module imports only
 * types from the project and uses only erasable syntax, so that Node runs both the compiled file and the source.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { SmallFilesMessage } from './small-files.js';

/** Number of files in one message. */
const filesPerMessage = 500;

/** Initial size of the buffer for the files of one message. */
const initialBytes = 512 * 1024;

/** The contents of several files in one buffer, which is transferred to the reader without a copy. */
class Pack {
  readonly ends: number[] = [];
  bytes = Buffer.allocUnsafeSlow(initialBytes);
  private length = 0;

  /** Appends the content of a file. */
  add(path: string): void {
    const file = openIfThere(path);
    if (file !== null) {
      try {
        for (let count = -1; count !== 0; this.length += count) {
          if (this.length === this.bytes.length) this.grow();
          count = readSync(file, this.bytes, this.length, this.bytes.length - this.length, null);
        }
      } finally {
        closeSync(file);
      }
    }
    this.ends.push(file === null ? -1 : this.length);
  }

  private grow(): void {
    const larger = Buffer.allocUnsafeSlow(this.bytes.length * 2);
    this.bytes.copy(larger);
    this.bytes = larger;
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

const paths = workerData as readonly string[];
try {
  for (let first = 0; first < paths.length; first += filesPerMessage) {
    const pack = new Pack();
    for (const path of paths.slice(first, first + filesPerMessage)) pack.add(path);
    const { bytes, ends } = pack;
    parentPort?.postMessage({ bytes, ends } satisfies SmallFilesMessage, [bytes.buffer]);
  }
} catch (error) {
  const { message, code, syscall } = error as NodeJS.ErrnoException;
  parentPort?.postMessage({ failure: { message, code, syscall } } satisfies SmallFilesMessage);
}
