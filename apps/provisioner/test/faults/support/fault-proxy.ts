import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../../../../../test/support/until.ts';

/** The properties of a call to the store by which faults are selected. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Whether the call requests a server-side copy. */
  readonly isCopy: boolean;
}

/** A fault of a call. */
export type Fault =
  | { readonly kind: 'answer'; readonly status: number; readonly code: string }
  | { readonly kind: 'reset' }
  | { readonly kind: 'reset answer' }
  | { readonly kind: 'truncate answer' }
  | { readonly kind: 'flip a byte' }
  | { readonly kind: 'wrong ETag' }
  | { readonly kind: 'leave out an object' }
  | { readonly kind: 'silence'; readonly ms: number }
  | { readonly kind: 'late answer'; readonly held: () => Promise<unknown> };

/** A proxy in front of a store that injects faults. It keeps the Host header, which is signed. */
export class FaultProxy {
  url = '';
  /** All calls in order of arrival. */
  readonly calls: Call[] = [];
  /** The number of calls with a fault. */
  spoilt = 0;
  private left = 0;
  private fault: Fault = { kind: 'reset' };
  private concerns: (call: Call) => boolean = () => false;
  private readonly server: Server;

  private constructor(private readonly target: URL) {
    this.server = createServer((incoming, outgoing) => {
      this.handle(incoming, outgoing);
    });
  }

  static async before(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(target));
    proxy.server.listen(0, '127.0.0.1');
    await until(() => proxy.server.listening);
    proxy.url = `http://127.0.0.1:${String((proxy.server.address() as AddressInfo).port)}`;
    return proxy;
  }

  /** Injects a fault into the next `times` calls that match. */
  spoil(times: number, concerns: (call: Call) => boolean, fault: Fault): void {
    Object.assign(this, { left: times, concerns, fault, spoilt: 0 });
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const [path = '', query = ''] = (incoming.url ?? '').split('?');
    const isCopy = incoming.headers['x-amz-copy-source'] !== undefined;
    const call = { method: incoming.method ?? '', path, query, isCopy };
    this.calls.push(call);
    const isSpoilt = this.left > 0 && this.concerns(call);
    if (!isSpoilt) {
      this.pass(incoming, outgoing, null);
      return;
    }
    this.left -= 1;
    this.spoilt += 1;
    this.spoilCall(incoming, outgoing, this.fault);
  }

  private spoilCall(incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault): void {
    if (fault.kind === 'reset')
      incoming.once('data', () => incoming.socket.destroy()).once('end', () => incoming.socket.destroy());
    else if (fault.kind === 'answer') {
      incoming.resume().on('end', () => {
        outgoing.writeHead(fault.status, { 'content-type': 'application/xml' });
        outgoing.end(`<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>injected</Message></Error>`);
      });
    } else if (fault.kind === 'silence') {
      setTimeout(() => {
        this.pass(incoming, outgoing, null);
      }, fault.ms);
    } else this.pass(incoming, outgoing, fault);
  }

  private pass(incoming: IncomingMessage, outgoing: ServerResponse, fault: Fault | null): void {
    const { hostname, port } = this.target;
    const { method, headers, url: path } = incoming;
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      void passBack(answer, outgoing, fault);
    });
    onward.on('error', () => outgoing.destroy());
    let isFlipped = fault?.kind !== 'flip a byte';
    incoming.on('data', (bytes: Buffer) => {
      if (!isFlipped && bytes.length > 0) bytes[0] = (bytes[0] ?? 0) ^ 1;
      isFlipped = true;
      onward.write(bytes);
    });
    incoming.on('end', () => onward.end());
  }
}

async function passBack(answer: IncomingMessage, outgoing: ServerResponse, fault: Fault | null): Promise<void> {
  const { statusCode: status = 502, headers } = answer;
  if (fault?.kind === 'late answer') await fault.held();
  if (outgoing.destroyed) return;
  if (fault?.kind === 'reset answer') answer.resume().on('end', () => outgoing.destroy());
  else if (fault?.kind === 'truncate answer') {
    outgoing.writeHead(status, headers);
    answer.once('data', (bytes: Buffer) => {
      outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.destroy());
    });
  } else if (fault?.kind === 'leave out an object') {
    const text = Buffer.concat(await answer.toArray()).toString();
    const body = text.replace(/<Contents>(?:(?!<Contents>).)*<\/Contents>(?!.*<Contents>)/s, '');
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  } else {
    const etag = fault?.kind === 'wrong ETag' && { etag: '"00000000000000000000000000000000"' };
    answer.pipe(outgoing.writeHead(status, { ...headers, ...etag }));
  }
}
