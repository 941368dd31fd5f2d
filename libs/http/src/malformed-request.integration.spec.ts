import { Body, Controller, Get, Module, Post, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { serve } from '../test/serve.js';

@Controller('things')
class ThingsController {
  @Get()
  search(): unknown {
    return [];
  }

  @Post()
  create(@Body() body: unknown): unknown {
    return body;
  }

  @Get('endless')
  endless(@Res() reply: FastifyReply): void {
    const begun = new Readable({ read: () => undefined });
    begun.push('[');
    void reply.type('application/json').send(begun);
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

describe('a request that is not valid HTTP', () => {
  let app: NestFastifyApplication;
  let port: number;

  beforeAll(async () => {
    ({ app, port } = await serve(ThingsModule, { requestTimeoutMs: 300 }));
  });

  afterAll(() => app.close());

  /** Sends lines and returns all received bytes after the service has closed the connection. */
  const send = async (...lines: string[]): Promise<string> => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(lines.join('\r\n'));
    return text(socket);
  };

  it.each([
    ['an unknown method', ['FOO / HTTP/1.1', 'Host: a', '', ''], '501 Not Implemented', 'method.unknown'],
    ['a tunnel', ['CONNECT a:80 HTTP/1.1', 'Host: a', '', ''], '501 Not Implemented', 'method.unknown'],
    ['version 3.0', ['GET / HTTP/3.0', 'Host: a', '', ''], '505 HTTP Version Not Supported', 'version.unknown'],
    ['the preface of version 2', ['PRI * HTTP/2.0', '', 'SM', '', ''], '505 HTTP Version', 'version.unknown'],
    ['no host', ['GET /things HTTP/1.1', '', ''], '400 Bad Request', 'input.invalid'],
    ['two hosts', ['GET /things HTTP/1.1', 'Host: a', 'host: b', '', ''], '400 Bad Request', 'input.invalid'],
    [
      'long headers',
      ['GET / HTTP/1.1', 'Host: a', `X: ${'a'.repeat(17_000)}`, '', ''],
      '431 ',
      'input.headers_too_large',
    ],
    ['a long address', [`GET /${'a'.repeat(17_000)} HTTP/1.1`, 'Host: a', '', ''], '431 ', 'input.headers_too_large'],
    ['a control character', ['GET / HTTP/1.1', 'Host: a', 'X: \x01', '', ''], '400 Bad Request', 'input.invalid'],
    [
      'a signed length',
      ['POST /things HTTP/1.1', 'Host: a', 'Content-Length: +1', '', 'x'],
      '400 Bad',
      'input.invalid',
    ],
    [
      'two lengths',
      ['POST /things HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2', '', 'x'],
      '400 Bad',
      'input.invalid',
    ],
    [
      'length and chunks',
      ['POST /things HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Transfer-Encoding: chunked', '', '0', '', ''],
      '400 Bad',
      'input.invalid',
    ],
    [
      'a wrong chunk',
      ['POST /things HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked', '', 'zz', 'x', ''],
      '400 Bad',
      'input.invalid',
    ],
    ['bytes that are not HTTP', ['{"a": 1}', '', ''], '400 Bad Request', 'input.invalid'],
    [
      'a body that never ends',
      ['POST /things HTTP/1.1', 'Host: a', 'Content-Length: 10', '', 'x'],
      '408 Request Timeout',
      'request.timeout',
    ],
    ['headers that never end', ['POST /things HTTP/1.1', 'Host: a', 'X: 1'], '408 Request Timeout', 'request.timeout'],
  ])('should be answered with the envelope when it has %s', async (_, lines, status, code) => {
    const [head = '', body = '', ...more] = (await send(...lines)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status}`);
    const { more: details } = JSON.parse(body) as { more: { code: string; request_id: string } };
    expect([details.code, more]).toEqual([code, []]);
    for (const line of [`X-Request-Id: ${details.request_id}`, 'Cache-Control: no-store', 'Connection: close'])
      expect(head.toLowerCase()).toContain(line.toLowerCase());
    expect(head).toMatch(/\r\ndate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT(\r|$)/i);
    expect(head).toMatch(new RegExp(`\r\ncontent-length: ${String(Buffer.byteLength(body))}(\r|$)`, 'i'));
  });

  it('should be accepted when its version is 1.0 and it has no host', async () => {
    expect(await send('GET /things HTTP/1.0', '', '')).toMatch(/^HTTP\/1\.1 200 OK[^]*\r\n\r\n\[\]$/);
  });

  it('should be accepted when it has an unknown expectation', async () => {
    const answer = await send('GET /things HTTP/1.1', 'Host: a', 'Expect: nothing', 'Connection: close', '', '');
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it.each([
    ['a response that has begun', 'GET /things/endless HTTP/1.1\r\nHost: a\r\n\r\n', 1],
    ['no request', '', 0],
  ])('given %s before it, should be answered only if no response is in progress', async (_, before, answers) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const all = text(socket);
    if (before !== '') {
      socket.write(before);
      await once(socket, 'data');
    }
    socket.write('FOO / HTTP/1.1\r\n\r\n');
    expect((await all).match(/HTTP\/1\.1 200/g) ?? []).toHaveLength(answers);
    expect((await all).match(/HTTP\/1\.1 501/g) ?? []).toHaveLength(1 - answers);
  });

  it('should be answered completely when the client continues to send', async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const all = text(socket);
    socket.write('FOO / HTTP/1.1\r\n');
    const sending = setInterval(() => socket.writable && socket.write('x'.repeat(10_000)), 1);
    expect(await all).toContain('method.unknown');
    clearInterval(sending);
    socket.destroy();
    if (!socket.closed) await once(socket, 'close');
  });
});
