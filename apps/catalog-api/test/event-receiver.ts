import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { until } from '../../../test/support/until.ts';

/** An event as a receiver gets it. */
export interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders;
  /** The bytes that the signature covers. */
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** A receiver of events on the loopback address. */
export interface EventReceiver {
  readonly url: string;
  /** The events that arrived, oldest first, including events that the receiver refused. */
  readonly events: ReceivedEvent[];
  /** Answers a request. 204 by default. */
  answer: (response: ServerResponse) => void;
  /** Waits until a number of events of a type have arrived, and returns them. */
  arrived(type: string, count?: number): Promise<readonly ReceivedEvent[]>;
  stop(): void;
}

/** Returns the result of a check as soon as it is not undefined. @throws Error after a minute */
export async function eventually<T>(check: () => Promise<T | undefined> | T | undefined): Promise<T> {
  let result: T | undefined;
  await until(async () => (result = await check()) !== undefined);
  return result as T;
}

/** Starts a receiver that accepts every event. */
export async function startReceiver(): Promise<EventReceiver> {
  const events: ReceivedEvent[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      events.push({ headers: request.headers, text: body, body: JSON.parse(body) as ReceivedEvent['body'] });
      receiver.answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: EventReceiver = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/events`,
    events,
    answer: answerWith(204),
    arrived: (type, count = 1) =>
      eventually(() => {
        const found = events.filter(({ body }) => body.type === type);
        return found.length < count ? undefined : found;
      }),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return receiver;
}

/** Returns an answer with a status. */
export function answerWith(status: number, headers: Record<string, string> = {}): EventReceiver['answer'] {
  return (response) => {
    response.writeHead(status, headers).end();
  };
}
