import { execFile } from 'node:child_process';
import { lstat, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { StorageFailure } from '../../model/storage-failure.js';
import { guarded, ignoring } from './durable-file.js';
import { digestOf } from './file-digest.js';

const run = promisify(execFile);

const readBufferBytes = 1024 * 1024;
const leastForgottenBytes = 1024 * 1024;

/**
 * Whether a file that was copied is there still.
 *
 * @param wanted its size, and its SHA-256 where the size does not tell enough
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
 * The bytes of a file, flushed first. What the kernel holds of a large one is given up before it is read; that costs a
 * process, which would be too much for each of many small ones.
 *
 * @throws StorageFailure
 */
export async function* readFromDisk(path: string): AsyncGenerator<Buffer> {
  const file = await guarded(() => open(path, 'r'));
  try {
    await guarded(() => file.sync());
    const { size } = await guarded(() => file.stat());
    if (size >= leastForgottenBytes) await dropCache(path);
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

/** Gives up what the kernel holds of a file. */
async function dropCache(path: string): Promise<void> {
  try {
    await run('dd', [`if=${path}`, 'iflag=nocache', 'count=0']);
  } catch (error) {
    throw new StorageFailure('The storage cannot be made to read a file from its disk again.', 'EIO', error);
  }
}
