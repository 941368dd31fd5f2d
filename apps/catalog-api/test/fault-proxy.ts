import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault of a request: no response, a closed connection, a response that is not JSON, or an error status. */
export type Fault = 'hang' | 'reset' | 'html' | number;

/** A proxy in front of a real server on loopback, which injects faults. */
export interface FaultProxy {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** The requested paths with their queries, in order. */
  readonly requests: string[];
  /** Returns the fault for a path; null for no fault. */
  failing: (path: string) => Fault | null;
  stop(): Promise<void>;
}

/** Starts a proxy in front of an origin. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    proxy.requests.push(path);
    const fault = proxy.failing(path);
    if (fault === null) forward(new URL(path, target), request, response);
    else fail(fault, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests: [],
    failing: () => null,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return proxy;
}

function forward(url: URL, request: IncomingMessage, response: ServerResponse): void {
  const onward = ask(url, { method: request.method, headers: { ...request.headers, host: url.host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  request.pipe(onward);
}

function fail(fault: Fault, response: ServerResponse): void {
  if (fault === 'hang') return;
  if (fault === 'reset') response.destroy();
  else if (fault === 'html') response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Welcome</h1>');
  else response.writeHead(fault, { 'Content-Type': 'application/json' }).end('{"detail":"out of order"}');
}
