import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Requests that are sent over and over, on connections that stay open. */
export interface Load {
  readonly port: number;
  /** What to ask, each in turn: paths with their query. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The status every answer must have. */
  readonly status: number;
  readonly connections: number;
  readonly seconds: number;
}

/** How a server bore a load. */
export interface LoadResult {
  readonly perSecond: number;
  /** The 99th percentile of the time from sending a request to its whole answer. */
  readonly p99Ms: number;
}

/**
 * Asks as fast as a server answers, one request at a time on each connection. It parses just enough of HTTP/1.1 to know
 * where an answer of known length ends, so that what is measured is the server and not this client.
 */
export async function underLoad(load: Load): Promise<LoadResult> {
  const end = performance.now() + load.seconds * 1000;
  const begun = performance.now();
  const each = await Promise.all(Array.from({ length: load.connections }, (_, lane) => askUntil(end, lane, load)));
  const times = each.flat().sort((a, b) => a - b);
  return {
    perSecond: (times.length * 1000) / (performance.now() - begun),
    p99Ms: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
  };
}

async function askUntil(end: number, lane: number, load: Load): Promise<number[]> {
  const socket = connect(load.port, '127.0.0.1');
  await once(socket, 'connect');
  const requests = load.paths.map((path) => requestOf(path, load.headers ?? {}));
  const times: number[] = [];
  for (let turn = lane; performance.now() < end; turn += load.connections) {
    const sent = performance.now();
    const status = await answerTo(socket, requests[turn % requests.length] ?? '');
    if (status !== load.status) throw new Error(`${String(load.paths[turn % requests.length])} gave ${String(status)}`);
    times.push(performance.now() - sent);
  }
  socket.destroy();
  return times;
}

function requestOf(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

function answerTo(socket: Socket, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = '';
    const onData = (chunk: Buffer): void => {
      received += chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      if (head < 0) return;
      const status = Number(received.slice(9, 12));
      const length = status === 304 ? 0 : Number(/\r\ncontent-length: (\d+)/i.exec(received.slice(0, head))?.[1]);
      if (received.length < head + 4 + length) return;
      socket.off('data', onData).off('close', onClose);
      resolve(status);
    };
    const onClose = (): void => {
      reject(new Error('The server closed the connection.'));
    };
    socket.on('data', onData).once('close', onClose);
    socket.write(request);
  });
}
