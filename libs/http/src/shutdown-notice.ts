import type { BeforeApplicationShutdown, OnModuleInit } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Time for which open connections are kept at shutdown: a request may already be in transit on each connection. */
const lingerMs = 500;

const checkMs = 20;

/** The state of a shutdown, which announces itself to clients before connections are closed. */
export class ShutdownNotice implements OnModuleInit, BeforeApplicationShutdown {
  /** Whether the process has received a signal to end. */
  isGiven = false;

  constructor(
    private readonly delayMs: number,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Adds a hook that ends each connection with its next response once the shutdown has begun. */
  onModuleInit(): void {
    this.host.httpAdapter.getInstance<FastifyInstance>().addHook('onSend', (_request, reply, _payload, done) => {
      if (this.isGiven) void reply.header('Connection', 'close');
      done();
    });
  }

  /**
   * Continues to answer for the delay, so that a load balancer can react before connections are refused. After the
   * delay, no new connection is accepted. Requests on open connections are still answered, because a client may not
   * repeat a request whose connection was closed.
   */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.isGiven = true;
    if (signal === undefined) return;
    await pause(this.delayMs);
    const server = this.host.httpAdapter.getHttpServer() as HttpServer;
    const deadline = performance.now() + lingerMs;
    // The method `close` of an HTTP server would close idle connections at once.
    Server.prototype.close.call(server);
    const connections = promisify(server.getConnections.bind(server));
    while ((await connections()) > 0 && performance.now() < deadline) await pause(checkMs);
  }
}
