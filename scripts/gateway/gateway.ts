import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Forwarder } from './forwarder.ts';
import type { ForwardingHeaders } from './forwarding-headers.ts';
import { answerMalformed } from './malformed-request.ts';
import { invalid, type Refusal, refuse, refuseSocket } from './refusal.ts';
import { faultOf } from './request-fault.ts';
import { routeOf, type ServiceName } from './route.ts';
import { Turns } from './turns.ts';

/** Bounds on what a caller can hold open. */
export interface GatewayLimits {
  /** Milliseconds within which the headers of a request must arrive. */
  readonly headersMs: number;
  /** Milliseconds for which a caller may send nothing of a body that has not ended. */
  readonly bodyStallMs: number;
  /** Milliseconds for which a body is read after its request was answered. */
  readonly discardMs: number;
  /** Bytes of a body that are read after its request was answered. */
  readonly discardBytes: number;
}

/** Settings of the gateway. */
export interface GatewayOptions {
  /** The port of each service on 127.0.0.1. */
  readonly ports: Readonly<Record<ServiceName, number>>;
  readonly headers: ForwardingHeaders;
  readonly limits?: Partial<GatewayLimits>;
}

const defaultLimits: GatewayLimits = {
  headersMs: 15_000,
  bodyStallMs: 60_000,
  discardMs: 30_000,
  discardBytes: 64 * 1024 * 1024,
};

const drainMs = 5_000;

const unrouted: Refusal = { status: 404, code: 'route.unknown', description: 'This address does not exist.' };
const noPage = invalid('The target of the request must be a path, or an http or https address without credentials.');
const noTunnel = invalid('The method CONNECT is not supported.');
const noExpectation = invalid('The header Expect must be "100-continue".', 417);

/**
 * Puts the two services on one origin. Node parses requests and frames answers; undici does the same on the connections
 * to the services. Bodies stream in both directions. If a service breaks off an answer, the gateway breaks off the
 * answer to the caller, so that the caller notices the failure.
 */
export class Gateway {
  private readonly server: Server;
  private readonly turns = new Turns();
  private readonly limits: GatewayLimits;
  private readonly forwarder: Forwarder;

  constructor({ ports, headers, limits }: GatewayOptions) {
    this.limits = { ...defaultLimits, ...limits };
    this.forwarder = new Forwarder(ports, headers, this.discardBounds);
    this.server = this.createServer();
  }

  /** Opens the port, 0 for any free one; rejects with the system's error if it cannot. @returns the port */
  async listen(port: number, host: string): Promise<number> {
    this.server.listen(port, host);
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  /** Stops accepting requests, waits up to 5 s for the current requests, and closes. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    const cutOff = setTimeout(() => {
      this.server.closeAllConnections();
    }, drainMs);
    await closed;
    clearTimeout(cutOff);
    await this.forwarder.close();
  }

  private get discardBounds(): { bytes: number; ms: number } {
    return { bytes: this.limits.discardBytes, ms: this.limits.discardMs };
  }

  private createServer(): Server {
    const { headersMs } = this.limits;
    const server = createServer({
      headersTimeout: headersMs,
      requestTimeout: 0, // a body may take as long as it does; the time without any byte is bounded
      requireHostHeader: false, // refused with the other faults, in the envelope
      connectionsCheckingInterval: Math.min(1000, headersMs),
    });
    const queue = (request: IncomingMessage, response: ServerResponse, refusal?: Refusal): void => {
      this.turns.take(request, response, () => void this.answer(request, response, refusal));
    };
    server.on('request', (request, response) => {
      queue(request, response);
    });
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      queue(request, response, noExpectation);
    });
    server.on('connect', (_request, socket) => {
      refuseSocket((socket as Socket).on('error', () => undefined).resume(), noTunnel, this.discardBounds);
    });
    server.on('clientError', (error, socket) => {
      answerMalformed(error, socket as Socket, this.turns, this.discardBounds);
    });
    return server;
  }

  private async answer(request: IncomingMessage, response: ServerResponse, expectation?: Refusal): Promise<void> {
    const fault = faultOf(request);
    const route = routeOf(request.url ?? '/');
    const refusal = fault === null ? expectation : invalid(fault);
    if (!request.complete) request.setTimeout(this.limits.bodyStallMs);
    if (refusal) await refuse(request, response, refusal, this.discardBounds);
    else if (route === null) await refuse(request, response, noPage, this.discardBounds);
    else if (route.service === undefined) await refuse(request, response, unrouted, this.discardBounds);
    else await this.forwarder.forward(request, response, { ...route, service: route.service });
  }
}
