/**
 * Reads small files with synchronous calls, which is the fastest for many of them. It imports nothing of ours but types
 * and uses only syntax that Node can erase, so that it runs from the build and from the sources alike.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { SmallFilesMessage } from './small-files.js';

/** Files in one message. */
const filesPerMessage = 500;

/** What the files of a message have together, as a first guess. */
const usualBytes = 512 * 1024;

/** Files one after the other in one piece of memory, which goes to the reader without being copied. */
class Pack {
  readonly ends: number[] = [];
  bytes = Buffer.allocUnsafeSlow(usualBytes);
  private length = 0;

  /** Adds the content of a file. */
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
