import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { guarded } from './durable-file.js';

const bufferBytes = 1024 * 1024;

/**
 * The SHA-256 of a file, hexadecimal. Read with one buffer: those of a stream would be garbage that V8 sees too late.
 *
 * @throws StorageFailure, or the reason of the signal
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
