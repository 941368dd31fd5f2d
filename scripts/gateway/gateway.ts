import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { type ForwardingHeaders, withoutConnectionHeaders } from './forwarding-headers.ts';
import { routeOf, type ServiceName } from './route.ts';

/** What the gateway is told. */
export interface GatewayOptions {
  /** The port of each service on 127.0.0.1. */
  readonly ports: Readonly<Record<ServiceName, number>>;
  readonly headers: ForwardingHeaders;
}

const drainMs = 5_000;

/**
 * Puts the two services on one origin. Bodies stream through in both directions, unbuffered; an answer that breaks off
 * behind us breaks off before us, so that it never passes for a whole one.
 */
export class Gateway {
  private readonly server: Server;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly options: GatewayOptions;

  constructor(options: GatewayOptions) {
    this.options = options;
    this.server = createServer((request, response) => {
      this.forward(request, response);
    });
    this.server.requestTimeout = 0;
  }

  /** Opens the port, 0 for any free one; rejects with the system's error when it cannot. @returns the port */
  async listen(port: number, host: string): Promise<number> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  /** Takes no more requests, gives those under way a few seconds, and closes. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    const cutOff = setTimeout(() => {
      this.server.closeAllConnections();
    }, drainMs);
    await closed;
    clearTimeout(cutOff);
    this.agent.destroy();
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const { service, target } = routeOf(request.url ?? '/');
    if (!service) {
      answer(response, 404, { code: 'route.unknown', description: 'Nothing answers at this address.' });
      return;
    }
    const onward = send({
      agent: this.agent,
      host: '127.0.0.1',
      port: this.options.ports[service],
      method: request.method,
      path: target,
      headers: this.options.headers.forwarded(request),
      setHost: false,
    });
    onward.on('response', (incoming) => void relay(incoming, response));
    onward.on('error', () => {
      if (!response.headersSent) unavailable(response, service);
    });
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }
}

async function relay(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  response.sendDate = false;
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, withoutConnectionHeaders(incoming.rawHeaders));
  response.flushHeaders();
  await pipeline(incoming, response).catch(() => response.destroy());
}

function unavailable(response: ServerResponse, service: ServiceName): void {
  response.setHeader('Retry-After', '1');
  answer(response, 503, { code: 'dependency.down', description: `The ${service} does not answer; try again soon.` });
}

/** An error of the gateway itself, in the envelope of the services. */
function answer(response: ServerResponse, status: number, error: { code: string; description: string }): void {
  const more = { code: error.code, request_id: randomUUID() };
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify({ status: 'Error', description: error.description, more }));
}
