import { execFile } from 'node:child_process';
import { lstat, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { StorageFailure } from '../../model/storage-failure.js';
import { guarded, ignoring } from './durable-file.js';
import { digestOf } from './file-digest.js';

const run = promisify(execFile);

const readBufferBytes = 1024 * 1024;

/** The least size for which the kernel's cache is dropped, because dropping it costs a process. */
const leastDroppedBytes = 1024 * 1024;

/**
 * Returns whether a copied file still exists with the expected size and, if given, the expected SHA-256.
 */
export async function isIntact(
  path: string,
  { size, sha256 }: { readonly size: number; readonly sha256?: string | undefined },
): Promise<boolean> {
  const stats = await ignoring(['ENOENT', 'ENOTDIR'], lstat(path));
  if (stats?.isFile() !== true || stats.size !== size) return false;
  return sha256 === undefined || (await digestOf(path)) === sha256;
}

/**
 * Flushes a file and reads it. A large file is read from the disk instead of the kernel's cache.
 *
 * @throws StorageFailure if the file cannot be flushed, dropped from the cache or read
 */
export async function* readFromDisk(path: string): AsyncGenerator<Buffer> {
  const file = await guarded(() => open(path, 'r'));
  try {
    await guarded(() => file.sync());
    const { size } = await guarded(() => file.stat());
    if (size >= leastDroppedBytes) await dropCache(path);
    for (let position = 0; position < size;) {
      const buffer = Buffer.allocUnsafe(readBufferBytes);
      const { bytesRead } = await guarded(() => file.read(buffer, 0, buffer.length, position));
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Drops a file from the kernel's cache. */
async function dropCache(path: string): Promise<void> {
  try {
    await run('dd', [`if=${path}`, 'iflag=nocache', 'count=0']);
  } catch (error) {
    throw new StorageFailure('A file cannot be read back from the disk: dropping its cache failed.', 'EIO', error);
  }
}
