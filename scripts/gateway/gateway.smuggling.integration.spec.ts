import { setTimeout as pause } from 'node:timers/promises';
import { GatewayStage } from '../../test/support/gateway-stage.ts';
import { RawConnection } from '../attack/raw-connection.ts';
import { Gateway } from './gateway.ts';

/** A request that is hidden in the body of another. The hidden request has no end, so any caller's next request ends it. */
const hidden = 'DELETE /api/partners/28 HTTP/1.1\r\nHost: hidden\r\nX-Swallow: ';

describe(`${Gateway.name}, attacked by hidden requests`, () => {
  let stage: GatewayStage;

  beforeEach(async () => {
    stage = await GatewayStage.start();
  });

  afterEach(async () => {
    await stage.stop();
  });

  /** Sends requests of other callers, with keys, and returns the requests that reached the services with these keys. */
  async function othersAfter(attack: string): Promise<string[]> {
    const attacker = await RawConnection.open(stage.port);
    attacker.write(attack);
    await attacker.answer(attack.split(' ', 1)[0], 300);
    for (let times = 0; times < 3; times++) {
      const answer = await RawConnection.exchange(
        stage.port,
        `GET /api/other/${String(times)} HTTP/1.1\r\nHost: a\r\nX-API-Key: key\r\nConnection: close\r\n\r\n`,
      );
      expect(answer?.status).toBe(200);
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ method: 'GET', url: `/api/other/${String(times)}` });
    }
    attacker.destroy();
    return stage.catalog.requests.map(({ method, url }) => `${method} ${url}`).filter((line) => line.includes('28'));
  }

  const length = `Content-Length: ${String(hidden.length)}`;
  const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;

  describe.each(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT'])('with %s', (method) => {
    it.each([
      ['Content-Length', ['Connection: keep-alive, content-length', length], hidden],
      ['Content-Length in capitals', ['Connection: CONTENT-LENGTH', length], hidden],
      ['Content-Length in a second header', ['Connection: keep-alive', 'Connection: content-length', length], hidden],
      ['Content-Length in odd commas', ['Connection: ,, \t content-length ,', length], hidden],
      ['Transfer-Encoding', ['Connection: transfer-encoding', 'Transfer-Encoding: chunked'], chunk],
    ])('should answer 400 when Connection names %s', async (_, lines, body) => {
      const request = `${[`${method} /api/nothing HTTP/1.1`, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`;
      const answer = await RawConnection.exchange(stage.port, `${request}${body}`, method);
      expect(answer?.status).toBe(400);
      expect(await othersAfter(`${request}${body}`)).toEqual([]);
    });

    it.each([
      ['a length', [length], hidden],
      ['chunks', ['Transfer-Encoding: chunked'], chunk],
    ])('should forward a body of %s as a body only', async (_, lines, body) => {
      const request = [`${method} /api/nothing HTTP/1.1`, 'Host: a', ...lines].join('\r\n');
      expect(await othersAfter(`${request}\r\n\r\n${body}`)).toEqual([]);
      expect(stage.catalog.requests[0]).toMatchObject({ method, url: '/api/nothing', body: hidden });
    });
  });

  it.each([
    ['both framings', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['both framings in reverse order', ['Transfer-Encoding: chunked', 'Content-Length: 5']],
    ['two lengths', ['Content-Length: 0', 'Content-Length: 5']],
    ['two equal lengths', ['Content-Length: 5', 'Content-Length: 5']],
    ['a list of lengths', ['Content-Length: 5, 5']],
    ['a signed length', ['Content-Length: +5']],
    ['a negative length', ['Content-Length: -5']],
    ['a hexadecimal length', ['Content-Length: 0x5']],
    ['an empty length', ['Content-Length:']],
    ['a length beyond 64 bits', ['Content-Length: 18446744073709551621']],
    ['two encodings', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['a list of encodings', ['Transfer-Encoding: gzip, chunked']],
    ['chunked before another encoding', ['Transfer-Encoding: chunked, identity']],
    ['another encoding', ['Transfer-Encoding: identity']],
    ['an unknown encoding', ['Transfer-Encoding: xchunked']],
    ['a quoted encoding', ['Transfer-Encoding: "chunked"']],
    ['an encoding with a vertical tab', ['Transfer-Encoding: \vchunked']],
    ['a space before the colon', ['Transfer-Encoding : chunked']],
    ['a space before the name', [' Transfer-Encoding: chunked']],
    ['a folded line', ['Transfer-Encoding:', ' chunked']],
    ['a folded length', ['X-Any: a', '\tContent-Length: 5']],
    ['an underscore for the hyphen in the encoding', ['Transfer_Encoding: chunked']],
    ['an underscore for the hyphen in the length', ['Content_Length: 5']],
    ['an underscore for the hyphen in a secret', ['X_Gateway_Secret: a']],
    ['an underscore for the hyphen in an address', ['X_Forwarded-For: 10.0.0.1']],
    ['a bare line feed', ['X-Any: a\nTransfer-Encoding: chunked']],
    ['a bare carriage return', ['X-Any: a\rTransfer-Encoding: chunked']],
    ['a NUL', ['X-Any: a\0b']],
    ['a name without a colon', ['Transfer-Encoding']],
    ['two hosts', ['Host: b']],
    ['a key named in Connection', ['X-API-Key: a', 'Connection: x-api-key']],
    ['a cookie named in Connection', ['Cookie: a', 'Connection: cookie']],
    ['a host named in Connection', ['Connection: host']],
    ['an origin named in Connection', ['Origin: http://evil', 'Connection: close, Origin']],
    ['a token named in Connection', ['Connection: x-csrf-token']],
    ['authorization named in Connection', ['Connection: authorization']],
    ['a forwarding header named in Connection', ['Connection: x-forwarded-for']],
    ["the gateway's secret named in Connection", ['Connection: x-gateway-secret']],
    ['a content type named in Connection', ['Connection: content-type']],
    ['a precondition named in Connection', ['Connection: if-match']],
    ['an unknown header named in Connection', ['X-Any: a', 'Connection: x-any']],
    ['a name in Connection that is no name', ['Connection: "close"']],
  ])('should answer 400 and forward nothing when a request has %s', async (_, lines) => {
    const head = ['POST /api/nothing HTTP/1.1', 'Host: a', ...lines].join('\r\n');
    const answer = await RawConnection.exchange(stage.port, `${head}\r\n\r\n0\r\n\r\n${hidden}`);
    expect(answer?.status).toBe(400);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ status: 'Error', more: { code: 'input.invalid' } });
    expect(stage.catalog.requests).toEqual([]);
  });

  it.each([
    ['chunks in HTTP/1.0', 'POST /api/nothing HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['no host', 'GET /api/nothing HTTP/1.1\r\n\r\n'],
    ['a target with credentials', 'GET http://user:word@a/api/nothing HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a target of another scheme', 'GET ftp://a/api/nothing HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n'],
    ['an unknown method', 'FOO /api/nothing HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a wrong version', 'GET /api/nothing HTTP/3.7\r\nHost: a\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('should answer 400 in the envelope when a request has %s', async (_, request) => {
    const answer = await RawConnection.exchange(stage.port, request);
    expect(answer?.status).toBe(400);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ status: 'Error', more: { code: 'input.invalid' } });
    expect(stage.catalog.requests).toEqual([]);
  });

  it.each([
    ['a size with a sign', '+5\r\nhello\r\n0\r\n\r\n'],
    ['a size with a prefix', '0x5\r\nhello\r\n0\r\n\r\n'],
    ['a size that is too large', 'fffffffffffffffff\r\nhello\r\n0\r\n\r\n'],
    ['a chunk that is longer than its size', '3\r\nhello\r\n0\r\n\r\n'],
    ['a bare line feed after the size', '5\nhello\r\n0\r\n\r\n'],
    ['a bare line feed after the chunk', '5\r\nhello\n0\r\n\r\n'],
  ])('should cut a body of chunks with %s', async (_, chunks) => {
    const head = 'POST /api/nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await othersAfter(`${head}5\r\nhello\r\n${chunks}${hidden}`)).toEqual([]);
    expect(stage.catalog.requests.filter(({ url }) => url === '/api/nothing')).toEqual([]);
  });

  it('should not forward trailers', async () => {
    const head = 'POST /api/nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTrailer: X-API-Key\r\n\r\n';
    const answer = await RawConnection.exchange(stage.port, `${head}1\r\na\r\n0\r\nX-API-Key: late\r\n\r\n`);
    expect(answer?.status).toBe(200);
    expect(stage.catalog.requests[0]?.headers).not.toHaveProperty('x-api-key');
    expect(stage.catalog.requests[0]?.headers).not.toHaveProperty('trailer');
  });

  it.each([
    ['a web socket', ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']],
    ['HTTP/2', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAA']],
  ])('should answer a request without an upgrade when it requests %s', async (_, lines) => {
    const head = ['POST /api/nothing HTTP/1.1', 'Host: a', length, ...lines].join('\r\n');
    expect(await othersAfter(`${head}\r\n\r\n${hidden}`)).toEqual([]);
    const [first] = stage.catalog.requests;
    expect(first).toMatchObject({ method: 'POST', body: hidden });
    for (const name of ['upgrade', 'http2-settings']) expect(first?.headers).not.toHaveProperty(name);
  });

  it('should answer pipelined requests in their order, each with its own answer', async () => {
    const connection = await RawConnection.open(stage.port);
    const paths = Array.from({ length: 20 }, (_, index) => `/api/${String(index)}`);
    connection.write(paths.map((path) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody`).join(''));
    for (const url of paths) {
      expect(JSON.parse((await connection.answer())?.body ?? '')).toMatchObject({ url, body: 'body' });
    }
    connection.destroy();
  });

  it('should answer a malformed request after the request before it', async () => {
    await stage.stop();
    stage = await GatewayStage.start(
      (_, response) => void pause(200).then(() => response.end('slow')) /* after the malformed request has arrived */,
    );
    const connection = await RawConnection.open(stage.port);
    connection.write('GET /api/slow HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n');
    expect([(await connection.answer())?.body, (await connection.answer())?.status]).toEqual(['slow', 400]);
    connection.destroy();
  });

  it('should never let a slow hidden request shift the answers of other callers', async () => {
    await stage.stop();
    stage = await GatewayStage.start((request, response) => {
      request.resume();
      void pause(request.url === '/api/session' ? 100 : 1).then(() => response.end(request.headers['x-tag'] ?? 'none'));
    });
    const login = 'POST /api/session HTTP/1.1\r\nHost: a\r\nX-Tag: stolen\r\nContent-Length: 0\r\n\r\n';
    const lines = ['GET /api/nothing HTTP/1.1', 'Host: a', 'Connection: content-length'];
    const attack = `${[...lines, `Content-Length: ${String(login.length)}`].join('\r\n')}\r\n\r\n${login}`;
    for (let times = 0; times < 8; times++) {
      const attacker = await RawConnection.open(stage.port);
      attacker.write(attack);
      const own = await attacker.answer('GET', 500);
      const victims = ['a', 'b', 'c'].map((tag) =>
        RawConnection.exchange(stage.port, `GET /api/mine HTTP/1.1\r\nHost: a\r\nX-Tag: ${tag}\r\n\r\n`),
      );
      expect((await Promise.all(victims)).map((answer) => answer?.body)).toEqual(['a', 'b', 'c']);
      expect([own?.status, await attacker.answer('GET', 50)]).toEqual([400, undefined]);
      attacker.destroy();
    }
    expect(stage.catalog.requests.filter(({ url }) => url === '/api/session')).toEqual([]);
  });
});
