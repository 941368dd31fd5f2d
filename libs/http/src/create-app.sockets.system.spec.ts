import { Controller, Get, Module, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import { Agent, request as send, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { serve } from '../test/serve.js';
import { createApp } from './create-app.js';

/** The time in milliseconds after which a client that reads nothing loses its connection. */
const stallMs = 500;

@Controller('endless')
class EndlessController {
  @Get()
  get(@Res() reply: FastifyReply): void {
    const begun = new Readable({ read: () => undefined });
    begun.push('[');
    void reply.type('application/json').send(begun);
  }
}

/** A controller that sends a response in two pieces, the second when the test requests it. */
@Controller('pieces')
class PiecesController {
  static readonly begun: Readable[] = [];

  @Get()
  get(@Res() reply: FastifyReply): void {
    const pieces = new Readable({ read: () => undefined });
    pieces.push('[');
    PiecesController.begun.push(pieces);
    void reply.type('application/json').send(pieces);
  }
}

/** A controller that sends more bytes than a socket's buffers can contain. */
@Controller('flood')
class FloodController {
  static readonly begun: Readable[] = [];

  @Get()
  get(@Res() reply: FastifyReply): void {
    const flood = new Readable({
      read() {
        this.push(Buffer.alloc(65_536));
      },
    });
    FloodController.begun.push(flood);
    void reply.type('application/octet-stream').send(flood);
  }
}

@Module({ controllers: [EndlessController, PiecesController, FloodController] })
class EndlessModule {}

describe(createApp.name, () => {
  let app: NestFastifyApplication;
  let port: number;
  const logged: string[] = [];
  const stalls = (): unknown[] =>
    logged
      .splice(0)
      .map((line) => JSON.parse(line) as { msg: string })
      .filter(({ msg }) => msg === 'connection closed: the client stopped reading the response');

  const start = async (drainMs: number): Promise<void> => {
    ({ app, port } = await serve(EndlessModule, {
      logger: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
      drainMs,
      requestTimeoutMs: 300,
      stallMs,
    }));
  };

  beforeEach(async () => {
    for (const controller of [PiecesController, FloodController]) controller.begun.splice(0);
    logged.splice(0);
    await start(50);
  });

  afterEach(() => app.close());

  it.each([
    ['sends nothing', '', ''],
    ['never ends its headers', 'GET /endless HTTP/1.1\r\nHost: localhost\r\n', 'X-Drip: 1\r\n'],
    ['never ends its body', 'POST /endless HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n', 'x'],
    [
      'sends its body in endless chunks',
      'POST /endless HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n',
      '1\r\nx\r\n',
    ],
  ])('should close the connection and answer other clients when a client %s', async (_, begin, drip) => {
    const slow = Array.from({ length: 50 }, () => connect(port, '127.0.0.1'));
    for (const socket of slow) socket.on('error', () => undefined).write(begin);
    const dripping = setInterval(() => {
      for (const socket of slow) if (socket.writable) socket.write(drip);
    }, 20);
    try {
      const others = await fetch(`http://127.0.0.1:${String(port)}/nothing`);
      expect(others.status).toBe(404);
      await Promise.all(slow.map((socket) => closed(socket.resume())));
    } finally {
      clearInterval(dripping);
    }
  });

  it('should close the connection, log it once and destroy the stream when a client stops reading', async () => {
    const caller = connect(port, '127.0.0.1').on('error', () => undefined);
    caller.pause().write('GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n');
    while (FloodController.begun.length === 0) await setImmediate();
    const flood = FloodController.begun.splice(0)[0] as Readable;
    if (!flood.closed) await once(flood, 'close');
    expect(stalls()).toEqual([expect.objectContaining({ route: '/flood' })]);
    caller.destroy();
  });

  it('should keep the connection when a response is slow or a client reads slowly', async () => {
    const agent = new Agent({ keepAlive: true });
    const request = send({ agent, port, host: '127.0.0.1', path: '/pieces' }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await pause(stallMs + 100); // the slowness is the subject
    PiecesController.begun.at(-1)?.push(']');
    PiecesController.begun.at(-1)?.push(null);
    expect(await text(response)).toBe('[]');
    const caller = connect(port, '127.0.0.1');
    caller.write('GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n');
    // Reads a piece in each fifth of the limit, for twice the limit.
    for (let times = 0; times < 10; times++) {
      caller.resume();
      await pause(stallMs / 25);
      caller.pause();
      await pause(stallMs / 5);
    }
    expect([caller.closed, stalls()]).toEqual([false, []]);
    caller.destroy();
    agent.destroy();
  });

  it('should end when a response never ends', async () => {
    const response = await fetch(`http://127.0.0.1:${String(port)}/endless`);
    const read = response.text();
    await Promise.all([app.close(), expect(read).rejects.toThrow()]);
  });

  it('should end after the last response when the client keeps the connection open', async () => {
    await app.close();
    await start(600_000);
    const agent = new Agent({ keepAlive: true });
    const request = send({ agent, port, host: '127.0.0.1', path: '/pieces' }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const ended = app.close();
    while (app.getHttpServer().listening) await setImmediate();
    PiecesController.begun.at(-1)?.push(']');
    PiecesController.begun.at(-1)?.push(null);
    expect(await text(response)).toBe('[]');
    await ended;
    agent.destroy();
  });
});

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else
      socket.once('close', () => {
        resolve();
      });
  });
}
