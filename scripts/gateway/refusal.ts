import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { discardBody, type DiscardBounds } from './discard-body.ts';

/** An error that the gateway itself answers. */
export interface Refusal {
  readonly status: number;
  /** One of the codes of docs/errors.md. */
  readonly code: 'input.invalid' | 'input.too_large' | 'route.unknown' | 'dependency.down';
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the refusal of a request that is not valid. */
export function invalid(description: string, status = 400): Refusal {
  return { status, code: 'input.invalid', description };
}

/** Answers a request in the envelope of the services and closes the connection if the body has not ended. */
export async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  bounds: DiscardBounds,
): Promise<void> {
  const { headers, body } = messageOf(refusal);
  if (!request.complete || refusal.status === 400) response.setHeader('Connection', 'close');
  response.writeHead(refusal.status, headers);
  response.write(body);
  await discardBody(request, bounds);
  response.end();
}

/**
 * Answers bytes that Node could not parse as a request, and closes the connection. Later bytes of the caller are
 * discarded within the bounds.
 */
export function refuseSocket(socket: Socket, refusal: Refusal, bounds: DiscardBounds): void {
  const { headers, body } = messageOf(refusal);
  const statusLine = `HTTP/1.1 ${String(refusal.status)} ${STATUS_CODES[refusal.status] ?? ''}`;
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  const maxBytes = socket.bytesRead + bounds.bytes;
  const watching = setInterval(() => {
    if (socket.bytesRead > maxBytes) socket.destroy();
  }, 50);
  const cutOff = setTimeout(() => socket.destroy(), bounds.ms);
  socket.once('close', () => {
    clearInterval(watching);
    clearTimeout(cutOff);
  });
  socket.end(`${[statusLine, ...lines].join('\r\n')}\r\n\r\n${body}`);
}

function messageOf({ code, description, headers }: Refusal): { headers: Record<string, string>; body: string } {
  const requestId = randomUUID();
  const body = JSON.stringify({ status: 'Error', description, more: { code, request_id: requestId } });
  return {
    body,
    headers: {
      ...headers,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
    },
  };
}
