import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** For so long connections that nobody has told to leave are kept: a request may be on its way on each of them. */
const lingerMs = 500;

const lookMs = 20;

/** Whether the service was told to end, and how it takes leave of its callers. */
export class ShutdownNotice implements OnModuleInit, BeforeApplicationShutdown {
  isGiven = false;

  constructor(
    private readonly delayMs: number,
    private readonly host: HttpAdapterHost,
  ) {}

  /** From then on each answer is the last of its connection, so that its caller closes it and none is asked once more. */
  onModuleInit(): void {
    this.host.httpAdapter.getInstance<FastifyInstance>().addHook('onSend', (_request, reply, _payload, done) => {
      if (this.isGiven) void reply.header('Connection', 'close');
      done();
    });
  }

  /**
   * Goes on answering for a while, so that whoever balances sees it before connections are refused. Then takes no new
   * connection, but answers what comes on those that there are: to close one at the moment at which it is asked would
   * break a request that its caller may not repeat.
   */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.isGiven = true;
    if (signal === undefined) return;
    await pause(this.delayMs);
    const server = this.host.httpAdapter.getHttpServer() as HttpServer;
    const deadline = performance.now() + lingerMs;
    // An HTTP server's own `close` would close idle connections at once.
    Server.prototype.close.call(server);
    const connections = promisify(server.getConnections.bind(server));
    while ((await connections()) > 0 && performance.now() < deadline) await pause(lookMs);
  }
}
