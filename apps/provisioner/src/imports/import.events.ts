import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { ImportResponse } from './import.response.js';

/** After so long a browser whose connection broke comes back. */
const reconnectAfterMs = 2_000;

/**
 * Answers with server-sent events, one for each change. The id of an event names what it tells, so that a caller who
 * comes back with `Last-Event-ID` is not told it again.
 */
export async function answerEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  follow: (signal: AbortSignal) => AsyncIterable<ImportResponse>,
): Promise<void> {
  const gone = new AbortController();
  request.raw.once('close', () => {
    gone.abort();
  });
  const known = request.headers['last-event-id'];
  const events = async function* (): AsyncGenerator<string> {
    yield `retry: ${String(reconnectAfterMs)}\n\n`;
    for await (const response of follow(gone.signal)) {
      const id = idOf(response);
      if (id !== known) yield `id: ${id}\nevent: ${response.state}\ndata: ${JSON.stringify(response)}\n\n`;
    }
  };
  await reply
    .type('text/event-stream; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .header('X-Accel-Buffering', 'no')
    .send(Readable.from(events()));
}

function idOf({ attempt, state, progress }: ImportResponse): string {
  return [attempt, state, progress.phase, progress.files_done, progress.bytes_done].join('-');
}
