import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** A body that is sent in pieces. */
export interface Upload {
  readonly port: number;
  readonly host?: string;
  readonly path: string;
  readonly key?: string;
  /** Bytes of the body. */
  readonly size: number;
  /** Bytes of each piece. */
  readonly piece: number;
  readonly framing: 'Content-Length' | 'chunked';
}

/**
 * Sends a body of spaces by POST. @returns the status of the answer
 *
 * @throws Error if the connection breaks off before the answer has come
 */
export async function upload(body: Upload): Promise<number | undefined> {
  const { port, host = '127.0.0.1', path, key, size, framing } = body;
  const headers = {
    ...(framing === 'chunked' ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': String(size) }),
    ...(key !== undefined && { 'X-API-Key': key }),
  };
  const request = send({ host, port, method: 'POST', path, agent: false, headers });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const pieces = function* (): Generator<Buffer> {
    for (let left = size; left > 0; left -= body.piece) yield Buffer.alloc(Math.min(body.piece, left), ' ');
  };
  Readable.from(pieces(), { objectMode: false }).pipe(request);
  const [answer] = await answered;
  await text(answer);
  request.destroy();
  return answer.statusCode;
}
