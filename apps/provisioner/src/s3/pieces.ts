import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { NextBuffer } from '../model/source-system.js';

const noBytes: Buffer = Buffer.alloc(0);

/**
 * Gathers the bytes of a stream in lent buffers, so that chunks of the socket become garbage at once and the consumer
 * receives fewer and larger pieces.
 */
export async function* inPieces(stream: Readable, next: NextBuffer): AsyncGenerator<Buffer> {
  let [buffer, filled, overflow] = [noBytes, 0, noBytes];
  let onFull = (): void => undefined;
  const take = (bytes: Buffer): void => {
    const count = bytes.copy(buffer, filled);
    filled += count;
    if (filled < buffer.length) return;
    overflow = bytes.subarray(count);
    stream.pause();
    onFull();
  };
  const untilFull = (): Promise<false> =>
    new Promise((resolve) => {
      onFull = resolve.bind(null, false);
      stream.resume();
    });
  // `yield*` is avoided, because its objects would survive V8's collections of the young generation.
  const taken = (): Buffer => {
    const bytes = buffer.subarray(0, filled);
    filled = 0;
    return bytes;
  };
  const ended = finished(stream, { writable: false }).then(() => true);
  ended.catch(() => undefined);
  try {
    buffer = await next();
    stream.on('data', take);
    for (;;) {
      const isEnded = filled < buffer.length && (await Promise.race([untilFull(), ended]));
      if (filled > 0) yield taken();
      if (isEnded) return;
      buffer = await next();
      take(overflow);
    }
  } catch (error) {
    // Bytes that arrived before the error are valid.
    if (filled > 0) yield taken();
    throw error;
  } finally {
    stream.destroy();
  }
}
