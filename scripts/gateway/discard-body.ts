import type { IncomingMessage } from 'node:http';

/** Bounds on what is read of a body that no service reads. */
export interface DiscardBounds {
  readonly bytes: number;
  readonly ms: number;
}

/**
 * Reads and discards the rest of a request's body. Resolves when the body has ended, the caller has left, or a bound is
 * reached.
 *
 * A connection that is closed with unread bytes is reset, and a reset can take the answer away from a caller that still
 * sends. So the connection stays open while the caller finishes, within bounds that an endless body cannot exceed.
 */
export function discardBody(request: IncomingMessage, bounds: DiscardBounds): Promise<void> {
  if (request.complete) return Promise.resolve();
  return new Promise((resolve) => {
    let bytesLeft = bounds.bytes;
    const count = (chunk: Buffer): void => {
      bytesLeft -= chunk.length;
      if (bytesLeft < 0) settle();
    };
    const settle = (): void => {
      clearTimeout(timer);
      request.off('data', count).off('end', settle).off('close', settle).pause();
      resolve();
    };
    const timer = setTimeout(settle, bounds.ms);
    request.unpipe();
    request.on('data', count).once('end', settle).once('close', settle).resume();
  });
}
