import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What goes wrong with a request: no answer ever, a connection cut off, an answer that is no JSON, or an error status. */
export type Fault = 'hang' | 'reset' | 'html' | number;

/** Stands between us and a real server on loopback, and lets requests fail. */
export interface FaultProxy {
  /** `http://127.0.0.1:<port>`, without a last slash. */
  readonly url: string;
  /** Paths with queries that it was asked for so far. */
  readonly requests: string[];
  /** Says of a path what goes wrong; null for nothing. */
  failing: (path: string) => Fault | null;
  stop(): Promise<void>;
}

/** Starts one in front of the origin that is named. */
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
