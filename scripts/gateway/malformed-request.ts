import type { Socket } from 'node:net';
import type { DiscardBounds } from './discard-body.ts';
import { invalid, type Refusal, refuseSocket } from './refusal.ts';
import type { Turns } from './turns.ts';

const malformed = invalid('The request is not valid HTTP/1.1.');
const tooSlow = invalid('The headers of the request took too long to arrive.', 408);
const tooLarge: Refusal = {
  status: 431,
  code: 'input.too_large',
  description: 'The target and the headers of the request are too large: at most 16 KiB together are accepted.',
};

const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
  HPE_HEADER_OVERFLOW: tooLarge,
};

/** Answers bytes that Node could not parse as a request, and closes their connection. */
export function answerMalformed(
  error: Error & { readonly code?: string },
  socket: Socket,
  turns: Turns,
  bounds: DiscardBounds,
): void {
  if (socket.writableEnded) return;
  if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
  else {
    turns.end(socket, () => {
      refuseSocket(socket, refusals[error.code ?? ''] ?? malformed, bounds);
    });
  }
}
