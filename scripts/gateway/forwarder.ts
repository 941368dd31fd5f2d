import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, Writable } from 'node:stream';
import { Agent } from 'undici';
import { discardBody, type DiscardBounds } from './discard-body.ts';
import type { ForwardingHeaders } from './forwarding-headers.ts';
import { withoutConnectionHeaders } from './message-headers.ts';
import { connectPatiently } from './patient-socket.ts';
import { type Refusal, refuse } from './refusal.ts';
import { hasBody } from './request-fault.ts';
import type { Route, ServiceName } from './route.ts';

/** Time in which a service may send nothing; the gateway of compose waits as long. */
const silenceMs = 3_600_000;

/** A route to a service. */
export type ServiceRoute = Route & { readonly service: ServiceName };

/**
 * Forwards requests to the services and their answers to the callers.
 *
 * undici frames each forwarded request by what is forwarded, and it never uses a connection again on which a request or
 * an answer has not ended.
 */
export class Forwarder {
  private readonly agent = new Agent({
    connect: connectPatiently,
    headersTimeout: silenceMs,
    bodyTimeout: silenceMs,
  });
  private readonly ports: Readonly<Record<ServiceName, number>>;
  private readonly headers: ForwardingHeaders;
  private readonly discardBounds: DiscardBounds;

  constructor(ports: Readonly<Record<ServiceName, number>>, headers: ForwardingHeaders, discardBounds: DiscardBounds) {
    this.ports = ports;
    this.headers = headers;
    this.discardBounds = discardBounds;
  }

  /** Forwards a request that has no fault. Resolves when the answer has been sent or its connection has been cut. */
  async forward(request: IncomingMessage, response: ServerResponse, route: ServiceRoute): Promise<void> {
    const leaving = new AbortController();
    response.once('close', () => {
      leaving.abort();
    });
    const message = {
      origin: `http://127.0.0.1:${String(this.ports[route.service])}`,
      path: route.target,
      method: request.method as 'GET',
      headers: this.headers.forwarded(request, route.authority),
      body: hasBody(request) ? request.pipe(new PassThrough()) : null,
      signal: leaving.signal,
      responseHeaders: 'raw' as const,
    };
    try {
      await this.agent.stream(message, ({ statusCode, headers }) =>
        this.beginAnswer(request, response, statusCode, headers as unknown as string[]),
      );
    } catch {
      if (response.writableEnded) return;
      if (response.headersSent || response.destroyed) response.destroy();
      else await refuse(request, response, unavailable(route.service), this.discardBounds);
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  /** Sends the head of an answer. @returns the stream that sends its body */
  private beginAnswer(
    request: IncomingMessage,
    response: ServerResponse,
    status: number,
    headers: readonly string[],
  ): Writable {
    const hasRead = request.complete;
    response.sendDate = false;
    response.writeHead(status, [...withoutConnectionHeaders(headers), ...(hasRead ? [] : ['Connection', 'close'])]);
    response.write(Buffer.alloc(0)); // sends the head at once and byte by byte; flushHeaders() writes it as UTF-8
    if (status === 304) return endedAt(response);
    return hasRead ? response : this.endedLate(request, response);
  }

  /** Returns a stream that ends an answer after the rest of the request was discarded. */
  private endedLate(request: IncomingMessage, response: ServerResponse): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (response.write(chunk)) done();
        else response.once('drain', done);
      },
      final: (done) => {
        void discardBody(request, this.discardBounds).then(() => response.end(done));
      },
      destroy: (error, done) => {
        if (!response.writableFinished) response.destroy();
        done(error);
      },
    });
  }
}

/** Ends an answer without a body here, because undici takes a `Content-Length` of 304 for a body that is missing. */
function endedAt(response: ServerResponse): Writable {
  response.end();
  return new PassThrough().resume();
}

function unavailable(service: ServiceName): Refusal {
  return {
    status: 503,
    code: 'dependency.down',
    description: `The service ${service} does not answer; try again soon.`,
    headers: { 'Retry-After': '1' },
  };
}
