import { ApiOkResponse } from '@nestjs/swagger';
import type { IdentifiedRequest } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { importStates } from '../model/import-record.js';
import type { ImportResponse } from './import.response.js';

/** The time after which a browser reconnects. */
const reconnectAfterMs = 2_000;

/** The interval at which the caller of a stream is identified again. */
const identifyMs = 2_000;

/**
 * Documents the response of `sendEvents`. The schema has no type: generators of clients read a stream as text, and
 * validators compare each event.
 */
export const ApiEventStream = (): MethodDecorator =>
  ApiOkResponse({
    description: `An event for each change of the import. The name of the event is the state of the import (${importStates.join(', ')}), and its data is the import.`,
    content: {
      'text/event-stream': {
        schema: {},
        example:
          'id: 1-running-copying-3-4096\nevent: running\ndata: {"id": "01M7ZW7275ACSPZ1JBFGFVCTZY", "state": "running"}\n\n',
      },
    },
  });

/**
 * Sends server-sent events, one for each change of an import. The id of an event identifies its content. If a caller
 * reconnects with `Last-Event-ID`, an unchanged state is not sent again. The stream ends when the caller loses the
 * permission to read it, or when the catalog cannot confirm the caller.
 */
export async function sendEvents(
  request: FastifyRequest & IdentifiedRequest,
  reply: FastifyReply,
  follow: (signal: AbortSignal) => AsyncIterable<ImportResponse>,
): Promise<void> {
  const closed = new AbortController();
  const check = setInterval(() => {
    request.checkAgain?.().catch(() => {
      closed.abort();
    });
  }, identifyMs);
  reply.raw.once('close', () => {
    clearInterval(check);
    closed.abort();
  });
  const lastEventId = request.headers['last-event-id'];
  const events = async function* (): AsyncGenerator<string> {
    yield `retry: ${String(reconnectAfterMs)}\n\n`;
    for await (const response of follow(closed.signal)) {
      const id = idOf(response);
      if (id !== lastEventId) yield `id: ${id}\nevent: ${response.state}\ndata: ${JSON.stringify(response)}\n\n`;
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
