import { setTimeout as pause } from 'node:timers/promises';
import type { Finding, Target } from './attack.ts';
import { RawConnection } from './raw-connection.ts';
import { upload, type Upload } from './upload.ts';

const attempts = 30;
const megabyte = 1_000_000;
/** Endless bodies are sent up to this number of bytes and of milliseconds. */
const maxEndless = 200 * megabyte;
const maxEndlessMs = 40_000;
const maxHeadersMs = 17_000;

const uploads: readonly Pick<Upload, 'path' | 'size' | 'framing' | 'piece'>[] = [
  { path: '/api/import/terms', size: 20 * megabyte, framing: 'Content-Length', piece: megabyte },
  { path: '/api/import/terms', size: 20 * megabyte, framing: 'chunked', piece: 16_384 },
  { path: '/datasets/srcsys/import', size: 3 * megabyte, framing: 'Content-Length', piece: 65_536 },
  { path: '/datasets/srcsys/import', size: 3 * megabyte, framing: 'chunked', piece: 16_384 },
  { path: '/datasets/srcsys/import', size: 20 * megabyte, framing: 'Content-Length', piece: megabyte },
  { path: '/datasets/srcsys/import', size: 20 * megabyte, framing: 'chunked', piece: megabyte },
];

const spellings = [
  '/metrics',
  '//metrics',
  '/x/../metrics',
  '/%6Detrics',
  '/%6Detrics/%zz',
  '/health/live',
  '//health',
];

/** Sends bodies that are too large, bodies and headers that never end, and odd spellings of paths. */
export async function* bodyAttacks({ origin, globalKey }: Target): AsyncIterable<Finding> {
  const { hostname: host, port: portText } = new URL(origin);
  const port = Number(portText || 80);
  for (const body of uploads) yield await refuseEveryTime({ ...body, host, port, key: globalKey });
  for (const pauseMs of [0, 20]) yield await neverEnd(port, host, pauseMs);
  yield await slowHeaders(port, host);
  const projects = await statusOf(port, host, '//api/projects', globalKey);
  yield { attack: 'two slashes', route: 'GET //api/projects', answer: projects, withstood: projects === '200' };
  for (const path of spellings) {
    const answer = await statusOf(port, host, path, globalKey);
    yield { attack: 'path that is not routed', route: `GET ${path}`, answer, withstood: answer === '404' };
  }
}

/** Sends a body that is too large many times. Each answer must be 413, not 503 or a broken connection. */
async function refuseEveryTime(body: Upload): Promise<Finding> {
  const answers = new Map<string, number>();
  for (let attempt = 0; attempt < attempts; attempt++) {
    const answer = String(await upload(body).catch((error: unknown) => (error as NodeJS.ErrnoException).code ?? error));
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  }
  return {
    attack: `${String(body.size / megabyte)} MB, ${body.framing}`,
    route: `POST ${body.path}`,
    answer: [...answers].map(([answer, count]) => `${String(count)} x ${answer}`).join(', '),
    withstood: answers.get('413') === attempts,
  };
}

/** Sends a body without an end to a path that no service answers. */
async function neverEnd(port: number, host: string, pauseMs: number): Promise<Finding> {
  const connection = await RawConnection.open(port, host);
  connection.write('POST /metrics HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
  const piece = pauseMs === 0 ? `10000\r\n${'a'.repeat(65_536)}\r\n` : '1\r\na\r\n';
  const begun = performance.now();
  let sent = 0;
  while (connection.socket.writable && sent < maxEndless && performance.now() - begun < maxEndlessMs) {
    connection.write(piece);
    sent += piece.length;
    await pause(pauseMs);
  }
  const isCut = !connection.socket.writable;
  const status = (await connection.answer('POST', 1000))?.status;
  connection.destroy();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  return {
    attack: pauseMs === 0 ? 'endless body' : 'endless slow body',
    route: 'POST /metrics',
    answer: `${String(status)}, ${isCut ? 'cut' : 'open'} after ${(sent / megabyte).toFixed(1)} MB and ${seconds} s`,
    withstood: isCut,
  };
}

/** Sends headers byte by byte. */
async function slowHeaders(port: number, host: string): Promise<Finding> {
  const connection = await RawConnection.open(port, host);
  connection.write('GET / HTTP/1.1\r\n');
  const begun = performance.now();
  const dripping = setInterval(() => {
    connection.write('X-Slow: a\r\n');
  }, 200);
  const status = (await connection.answer('GET', maxHeadersMs))?.status;
  clearInterval(dripping);
  const ms = performance.now() - begun;
  connection.destroy();
  const answer = `${String(status ?? 'nothing')} after ${(ms / 1000).toFixed(1)} s`;
  return { attack: 'slow headers', route: 'GET /', answer, withstood: status === 408 };
}

async function statusOf(port: number, host: string, path: string, key: string): Promise<string> {
  const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`;
  return String((await RawConnection.exchange(port, request, 'GET', host))?.status ?? 'cut');
}
