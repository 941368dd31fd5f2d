import { once } from 'node:events';
import { type RequestListener, type ServerResponse, Agent, request as send, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';
import { GatewayStage } from '../../test/support/gateway-stage.ts';
import { httpCall } from '../../test/support/http-call.ts';
import { RawConnection } from '../attack/raw-connection.ts';
import { Gateway } from './gateway.ts';

const megabyte = 1024 * 1024;

describe(`${Gateway.name}, between a caller and a service`, () => {
  let stage: GatewayStage;

  async function start(listener?: RequestListener): Promise<number> {
    stage = await GatewayStage.start(listener);
    return stage.port;
  }

  afterEach(async () => {
    await stage.stop();
  });

  describe('an answer', () => {
    it.each([
      ['GET', 200],
      ['HEAD', 200],
      ['GET', 204],
      ['GET', 304],
      ['HEAD', 304],
      ['DELETE', 204],
      ['OPTIONS', 200],
    ])('should keep status and headers of %s with %i, and keep both connections', async (method, status) => {
      const headers = { ETag: '"a"', 'X-Two': ['1', '2'], 'Set-Cookie': ['a=1', 'b=2'], Date: 'today' };
      const port = await start((_, response) => {
        const length = status === 204 ? {} : { 'Content-Length': '5' };
        response
          .writeHead(status, { ...headers, ...length, 'X-Byte': '\u00e9' })
          .end(Buffer.from(status === 200 ? 'hello' : ''));
      });
      const connection = await RawConnection.open(port);
      for (let times = 0; times < 3; times++) {
        connection.write(`${method} /api/a HTTP/1.1\r\nHost: a\r\n\r\n`);
        const answer = await connection.answer(method);
        expect(answer).toMatchObject({ status, headers: { etag: '"a"', 'x-two': '2', 'set-cookie': 'b=2' } });
        expect(answer?.headers).toMatchObject({ date: 'today', 'x-byte': '\u00e9' });
        expect(answer?.headers['content-length']).toBe(status === 204 ? undefined : '5');
        expect(answer?.headers).not.toHaveProperty('transfer-encoding');
      }
      if (method !== 'HEAD') expect(await stage.catalog.connections()).toBe(1);
      connection.destroy();
    });

    it('should skip interim answers, and drop headers of the inner connection and trailers', async () => {
      const port = await start((_, response) => {
        response.writeEarlyHints({ link: '</a>; rel=preload' });
        response.writeHead(200, { Trailer: 'X-Late', 'Keep-Alive': 'timeout=77', Connection: 'keep-alive' });
        response.write('hello');
        response.addTrailers({ 'X-Late': 'a' });
        response.end();
      });
      const { status, headers, body } = await httpCall(port, 'GET', '/api/a');
      expect([status, body, headers['keep-alive'], headers.trailer]).toEqual([200, 'hello', undefined, undefined]);
    });

    it('should reach a caller in pieces, and end in the service when the caller leaves', async () => {
      const begun: ServerResponse[] = [];
      const port = await start((_, response) => {
        begun.push(response);
        response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      });
      const reader = send({ port, path: '/imports/01/events', agent: false }).end();
      const [incoming] = (await once(reader, 'response')) as [IncomingMessage];
      for (const event of ['one', 'two', 'three']) {
        begun[0]?.write(`data: ${event}\n\n`);
        expect(String((await once(incoming, 'data'))[0])).toBe(`data: ${event}\n\n`);
      }
      const closed = once(begun[0] as ServerResponse, 'close');
      reader.destroy();
      await closed;
    });

    it.each([
      ['before it answers', false],
      ['while it answers', true],
    ])('should end in the service when the caller leaves %s', async (_, hasBegun) => {
      const begun: ServerResponse[] = [];
      const port = await start((_request, response) => {
        begun.push(response);
        if (hasBegun) response.write('[');
      });
      const caller = await RawConnection.open(port);
      caller.write('GET /api/datasets HTTP/1.1\r\nHost: a\r\n\r\n');
      await until(() => begun.length > 0);
      const closed = once(begun[0] as ServerResponse, 'close');
      caller.destroy();
      await closed;
    });

    it.each(['Content-Length: 100', 'Transfer-Encoding: chunked'])(
      'should break off when it breaks off in the service, with %s',
      async (framing) => {
        const port = await start((_, response) => {
          const [name = '', value = ''] = framing.split(': ');
          response.writeHead(200, { [name]: value }).write('[{"id":1},', () => response.destroy());
        });
        await expect(httpCall(port, 'GET', '/api/datasets')).rejects.toThrow('aborted');
        expect((await httpCall(port, 'GET', '/health')).status).toBe(404);
      },
    );

    it('should stream 300 MB with flat memory to a caller that reads slowly', async () => {
      const piece = Buffer.alloc(megabyte);
      let pieces = 0;
      const port = await start((_, response) => {
        const list = new Readable({
          read() {
            this.push(pieces++ < 300 ? piece : null);
          },
        });
        list.pipe(response);
      });
      const before = process.memoryUsage().rss;
      const request = send({ port, path: '/api/datasets', agent: false }).end();
      const [incoming] = (await once(request, 'response')) as [IncomingMessage];
      let seen = -1;
      await until(() => seen === (seen = pieces));
      expect(pieces).toBeLessThan(60);
      let bytes = 0;
      let most = 0;
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        most = Math.max(most, process.memoryUsage().rss);
      }
      expect(bytes).toBe(300 * megabyte);
      expect(most - before).toBeLessThan(150 * megabyte);
    });
  });

  describe('a request', () => {
    it('should reach the service while the caller still sends', async () => {
      const read: string[] = [];
      const port = await start((request, response) => {
        request.on('data', (bytes: Buffer) => read.push(bytes.toString()));
        request.on('end', () => response.end('done'));
      });
      const connection = await RawConnection.open(port);
      connection.write('PUT /api/import/terms HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
      for (const piece of ['one', 'two']) {
        connection.write(`3\r\n${piece}\r\n`);
        await until(() => read.includes(piece));
      }
      connection.write('0\r\n\r\n');
      expect((await connection.answer())?.body).toBe('done');
      connection.destroy();
    });

    it('should not be read faster than the service reads it', async () => {
      const port = await start(() => undefined);
      const connection = await RawConnection.open(port);
      connection.write('PUT /api/import/terms HTTP/1.1\r\nHost: a\r\nContent-Length: 300000000\r\n\r\n');
      let sent = 0;
      const piece = 'a'.repeat(megabyte);
      while (sent < 300 && connection.socket.writableLength < 8 * megabyte) {
        connection.write(piece);
        sent += 1;
        await pause(5); // a gateway that reads too much needs time for it
      }
      expect(sent).toBeLessThan(60);
      connection.destroy();
    });

    it('should end in the service when the caller leaves before its body ends', async () => {
      const errors: Promise<unknown>[] = [];
      const port = await start((request) => void errors.push(once(request.resume(), 'error')));
      const connection = await RawConnection.open(port);
      connection.write('POST /api/import/terms HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nbegin');
      await until(() => errors.length > 0);
      connection.destroy();
      expect(await errors[0]).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
    });

    it.each([
      ['100-continue', 200],
      ['a miracle', 417],
    ])('should be answered when it expects %s', async (expectation, status) => {
      const port = await start();
      const connection = await RawConnection.open(port);
      connection.write(`POST /api/a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: ${expectation}\r\n\r\n`);
      await once(connection.socket, 'data'); // the interim or the final answer, which precedes the body
      connection.write('body');
      expect((await connection.answer())?.status).toBe(status);
      if (status === 200) expect(stage.catalog.requests[0]).toMatchObject({ body: 'body' });
      connection.destroy();
    });

    it('should keep its escapes, merge repeated slashes, and use the host of an absolute target', async () => {
      const port = await start();
      const received = async (target: string, version = '1.1'): Promise<string> => {
        const answer = await RawConnection.exchange(port, `GET ${target} HTTP/${version}\r\nHost: a.example\r\n\r\n`);
        const { url, headers } = JSON.parse(answer?.body ?? '') as { url: string; headers: Record<string, string> };
        return `${headers['host'] ?? ''} ${url} ${headers['x-forwarded-host'] ?? ''}`;
      };
      expect(await received('//api/projects')).toBe('a.example /api/projects a.example');
      expect(await received('/api//projects?a=//b')).toBe('a.example /api/projects?a=//b a.example');
      expect(await received('/api/projects//')).toBe('a.example /api/projects// a.example');
      expect(await received('/api/a%2Fb/%2e%2E%2f')).toBe('a.example /api/a%2Fb/%2e%2E%2f a.example');
      expect(await received('/%2Fapi/x')).toBe('a.example /%2Fapi/x a.example');
      expect(await received('http://b.example:81/api/x')).toBe('b.example:81 /api/x b.example:81');
      expect(await received('/api/%zz')).toBe('a.example /api/%zz a.example');
      expect(await received('/api/x', '1.0')).toBe('a.example /api/x a.example');
      expect(stage.provisioner.requests).toEqual([]);
    });

    it.each([
      ...[
        '/metrics',
        '/health',
        '/health/ready',
        '//metrics',
        '/./metrics',
        '/x/../metrics',
        '/%6Detrics',
        '/metrics/',
      ],
      ...['/metrics%2F', '/%2Fmetrics', '/metrics?x=1', '/\\metrics', '/x\\..\\metrics', '/%2e/metrics', '/metrics#x'],
      ...[
        '/x/%2e%2e/metrics',
        '/%2e%2e/metrics',
        '/x/.%2e/metrics',
        '/%6Detrics/%zz',
        '/%6Detrics/%ff',
        '///health//live',
      ],
      ...[
        'http://any/metrics',
        'HTTP://any//metrics',
        'http://any/%68ealth/live',
        'https://any/health',
        '/metrics%2f%zz',
      ],
    ])('should not reach a service as %s', async (target) => {
      const port = await start();
      const answer = await RawConnection.exchange(port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect([answer?.status, JSON.parse(answer?.body ?? '')]).toEqual([
        404,
        expect.objectContaining({ more: expect.objectContaining({ code: 'route.unknown' }) as unknown }),
      ]);
      expect([...stage.catalog.requests, ...stage.provisioner.requests]).toEqual([]);
    });

    it('should reuse a connection to a service after complete messages only', async () => {
      const port = await start();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let times = 0; times < 20; times++) {
        const request = send({ port, agent, method: 'POST', path: '/api/a' }).end('body');
        const [incoming] = (await once(request, 'response')) as [IncomingMessage];
        await text(incoming);
      }
      expect(await stage.catalog.connections()).toBe(1);
      agent.destroy();
    });
  });
});
