import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { guarded } from './durable-file.js';

const bufferBytes = 1024 * 1024;

/**
 * Returns the hexadecimal SHA-256 of a file. One buffer is reused, because V8 collects the buffers of a stream late.
 *
 * @throws StorageFailure if the file cannot be read, or the signal's reason if the signal aborts
 */
export async function digestOf(path: string, signal?: AbortSignal): Promise<string> {
  const file = await guarded(() => open(path, 'r'));
  try {
    const hash = createHash('sha256');
    const buffer = Buffer.allocUnsafeSlow(bufferBytes);
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await guarded(() => file.read(buffer, 0, bufferBytes, null));
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
