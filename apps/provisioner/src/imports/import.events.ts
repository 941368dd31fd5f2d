import { ApiOkResponse } from '@nestjs/swagger';
import type { IdentifiedRequest } from '@rdc/auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { importStates } from '../model/import-record.js';
import type { ImportResponse } from './import.response.js';

/** After so long a browser whose connection broke comes back. */
const reconnectAfterMs = 2_000;

/** How often the caller of a stream is identified again. */
const checkAgainMs = 2_000;

const text = { type: 'string' } as const;

/** Describes what `answerEvents` answers: one event, as a browser reads it. */
export const ApiEventStream = (): MethodDecorator =>
  ApiOkResponse({
    description: 'An event for each change; its data are the import.',
    content: {
      'text/event-stream': {
        schema: { type: 'object', properties: { id: text, event: { ...text, enum: [...importStates] }, data: text } },
        example: {
          id: '1-running-copying-3-4096',
          event: 'running',
          data: '{"id": "01M7ZW7275ACSPZ1JBFGFVCTZY", "state": "running"}',
        },
      },
    },
  });

/**
 * Answers with server-sent events, one for each change. The id of an event names its content, so that a caller that
 * comes back with `Last-Event-ID` does not get the same again. The stream ends as soon as its caller may no longer
 * have it, or the catalog cannot confirm the caller.
 */
export async function sendEvents(
  request: FastifyRequest & IdentifiedRequest,
  reply: FastifyReply,
  follow: (signal: AbortSignal) => AsyncIterable<ImportResponse>,
): Promise<void> {
  const gone = new AbortController();
  const check = setInterval(() => {
    request.checkAgain?.().catch(() => {
      gone.abort();
    });
  }, checkAgainMs);
  reply.raw.once('close', () => {
    clearInterval(check);
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
