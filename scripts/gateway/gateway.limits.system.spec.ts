import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { GatewayStage } from '../../test/support/gateway-stage.ts';
import { RawConnection } from '../attack/raw-connection.ts';
import { Gateway, type GatewayLimits } from './gateway.ts';

const megabyte = 1024 * 1024;

describe(`${Gateway.name}, toward callers that hold connections open`, () => {
  let stage: GatewayStage;

  async function start(listener?: RequestListener, limits?: Partial<GatewayLimits>): Promise<number> {
    stage = await GatewayStage.start(listener, limits);
    return stage.port;
  }

  afterEach(async () => {
    await stage.stop();
  });

  it('should answer and cut an endless body without a service after a bounded number of bytes', async () => {
    const port = await start(undefined, { discardBytes: 4 * megabyte });
    const connection = await RawConnection.open(port);
    connection.write('POST /metrics HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    expect((await connection.answer())?.status).toBe(404);
    const piece = `10000\r\n${'a'.repeat(65_536)}\r\n`;
    let sent = 0;
    while (connection.socket.writable && sent < 64 * megabyte) {
      connection.write(piece);
      sent += piece.length;
      await pause(0);
    }
    expect(sent).toBeLessThan(64 * megabyte);
  });

  it('should cut a slow endless body without a service after a bounded time', async () => {
    const port = await start(undefined, { discardMs: 300 });
    const connection = await RawConnection.open(port);
    connection.write('POST /health HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    const dripping = setInterval(() => {
      connection.write('1\r\na\r\n');
    }, 20);
    expect((await connection.answer())?.status).toBe(404);
    expect(await connection.closes(10_000)).toBe(true);
    clearInterval(dripping);
  });

  it('should answer 408 when headers do not arrive in time', async () => {
    const port = await start(undefined, { headersMs: 300, discardMs: 300 });
    const [silent, slow] = [await RawConnection.open(port), await RawConnection.open(port)];
    slow.write('GET / HTTP/1.1\r\n');
    const dripping = setInterval(() => {
      slow.write('X-Slow: a\r\n');
    }, 20);
    for (const connection of [silent, slow]) {
      expect((await connection.answer('GET', 10_000))?.status).toBe(408);
      expect(await connection.closes(10_000)).toBe(true);
    }
    clearInterval(dripping);
  });

  it('should wait 15 seconds for headers by default', async () => {
    const port = await start();
    const begun = performance.now();
    const connection = await RawConnection.open(port);
    connection.write('GET / HTTP/1.1\r\n');
    expect((await connection.answer('GET', 25_000))?.status).toBe(408);
    expect(performance.now() - begun).toBeGreaterThan(14_000);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('should cut a request and its forwarded request when the body stops', async () => {
    const aborted: Promise<unknown>[] = [];
    const port = await start((request) => void aborted.push(once(request.resume(), 'error')), { bodyStallMs: 300 });
    const connection = await RawConnection.open(port);
    connection.write('POST /api/import/terms HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nbegin');
    expect(await connection.closes(10_000)).toBe(true);
    expect(await aborted[0]).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
  });

  it('should cut a connection on which many requests wait for their turn', async () => {
    const port = await start(() => undefined);
    const connection = await RawConnection.open(port);
    connection.write('GET /api/slow HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1000));
    expect(await connection.closes(10_000)).toBe(true);
    expect(stage.catalog.requests.length).toBeLessThanOrEqual(1);
  });

  it('should answer 431 in the envelope when headers are too large', async () => {
    const port = await start();
    const answer = await RawConnection.exchange(
      port,
      `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
    );
    expect([answer?.status, JSON.parse(answer?.body ?? '')]).toEqual([
      431,
      expect.objectContaining({ more: expect.objectContaining({ code: 'input.too_large' }) as unknown }),
    ]);
  });
});
