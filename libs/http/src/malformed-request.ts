import { AppError, envelopeOf, statusOf } from '@rdc/errors';
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Answers what is no HTTP that can be read, of which no request was made, with the envelope of every other error. */
export function answerMalformed(error: Error & { code?: unknown }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const known =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new AppError('input.too_large', 'The headers of the request are too large.')
      : new AppError('input.invalid', 'The request is not valid HTTP/1.1, or took too long to come.');
  const status = statusOf(known.code);
  const body = JSON.stringify(envelopeOf(known, randomUUID()));
  const head = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    'Connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy(error);
}
