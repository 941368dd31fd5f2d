import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Requests that are sent repeatedly on persistent connections. */
export interface Load {
  readonly port: number;
  /** Paths with their query, requested in turn. */
  readonly paths: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The expected status of every answer. */
  readonly status: number;
  readonly connections: number;
  readonly seconds: number;
}

/** The performance of a server under a load. */
export interface LoadResult {
  readonly perSecond: number;
  /** The 99th percentile of the time from a request to the end of its answer. */
  readonly p99Ms: number;
}

/**
 * Sends requests as fast as a server answers, one at a time on each connection. It parses only the part of HTTP/1.1 that
 * delimits an answer of known length, so that the client costs little.
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
    if (status !== load.status)
      throw new Error(`${String(load.paths[turn % requests.length])} failed with status ${String(status)}`);
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
