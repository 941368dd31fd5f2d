import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/**
 * The bytes of a stream, gathered in one buffer as they arrive: what is read from a socket is garbage at once, and whoever
 * takes them is asked less often. A piece is overwritten when the next is asked for.
 */
export async function* inPieces(stream: Readable, buffer: Buffer): AsyncGenerator<Buffer> {
  let filled = 0;
  /** What arrived when the buffer was full. */
  let rest: Buffer = Buffer.alloc(0);
  let onFull = (): void => undefined;
  const take = (bytes: Buffer): void => {
    const count = bytes.copy(buffer, filled);
    filled += count;
    if (filled < buffer.length) return;
    rest = bytes.subarray(count);
    stream.pause();
    onFull();
  };
  function* taken(): Generator<Buffer> {
    const bytes = buffer.subarray(0, filled);
    filled = 0;
    if (bytes.length > 0) yield bytes;
  }
  const ended = finished(stream, { writable: false }).then(() => true);
  ended.catch(() => undefined);
  stream.on('data', take);
  try {
    for (let isEnded = false; !isEnded;) {
      if (filled < buffer.length) {
        const full = new Promise<false>((resolve) => {
          onFull = resolve.bind(null, false);
        });
        stream.resume();
        isEnded = await Promise.race([full, ended]);
      }
      yield* taken();
      take(rest);
    }
  } catch (error) {
    // What came before a connection broke has come.
    yield* taken();
    throw error;
  } finally {
    stream.destroy();
  }
}
