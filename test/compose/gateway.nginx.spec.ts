import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RawConnection } from '../../scripts/attack/raw-connection.ts';
import { disguises, methods } from '../../scripts/attack/smuggling-requests.ts';
import { upload } from '../../scripts/attack/upload.ts';
import { NginxGateway } from '../support/nginx-gateway.ts';
import { RecordingServer } from '../support/recording-server.ts';
import type { RefusingPorts } from '../support/refusing-services.ts';

const hidden = 'DELETE /api/partners/28 HTTP/1.1\r\nHost: hidden\r\nX-Swallow: ';
const secret = 'secret of the gateway';
const attempts = 30;

describe('compose/gateway.conf.template in nginx', () => {
  let catalog: RecordingServer;
  let provisioner: RecordingServer;
  let gateway: NginxGateway;

  beforeEach(async () => {
    [catalog, provisioner] = [await RecordingServer.start(), await RecordingServer.start()];
    gateway = await NginxGateway.start({ 'catalog-api': catalog.port, provisioner: provisioner.port }, secret);
  });

  afterEach(async () => {
    await gateway.stop();
    await Promise.all([catalog.stop(), provisioner.stop()]);
  });

  describe.each(disguises)('attacked by a request that is hidden by: $name', ({ lines, body }) => {
    it.each(methods)('should answer other callers for themselves when it comes with %s', async (method) => {
      const head = [`${method} /api/nothing HTTP/1.1`, 'Host: a', ...lines(hidden)].join('\r\n');
      for (let times = 0; times < 3; times++) {
        const attacker = await RawConnection.open(gateway.port);
        attacker.write(`${head}\r\n\r\n${body?.(hidden) ?? hidden}`);
        await attacker.answer(method, 100);
        const path = `/api/other/${String(times)}`;
        const other = `GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: key\r\nConnection: close\r\n\r\n`;
        const answer = await RawConnection.exchange(gateway.port, other);
        expect(JSON.parse(answer?.body ?? '')).toMatchObject({ method: 'GET', url: path });
        attacker.destroy();
      }
      expect(catalog.requests.filter(({ url, method }) => url.includes('28') || method === 'PRI')).toEqual([]);
    });
  });

  it("should replace the caller's forwarding headers, and keep the headers that Connection names", async () => {
    const forged = [
      'X-Forwarded-For',
      'X-Forwarded-Proto',
      'Forwarded',
      'X-Real-IP',
      'X-Gateway-Secret',
      'traceparent',
    ];
    const lines = [...forged, 'X_Gateway_Secret', 'X_Forwarded_For'].map((name) => `${name}: forged`);
    const connection = 'Connection: close, x-api-key, x-forwarded-for, x-gateway-secret';
    const request = ['GET /api/a HTTP/1.1', 'Host: a.example', 'X-API-Key: key', ...lines, connection].join('\r\n');
    const answer = await RawConnection.exchange(gateway.port, `${request}\r\n\r\n`);
    expect(answer?.status).toBe(200);
    const headers = catalog.requests[0]?.headers;
    expect(headers).toMatchObject({ 'x-api-key': 'key', 'x-forwarded-for': '127.0.0.1', 'x-gateway-secret': secret });
    expect(JSON.stringify(headers)).not.toContain('forged');
  });

  it.each([
    ['//api/projects', '/api/projects'],
    ['/api//projects?a=//b', '/api/projects?a=//b'],
    ['/api/projects//', '/api/projects//'],
    ['/api/a%2Fb', '/api/a%2Fb'],
    ['/api/projects?a=1', '/api/projects?a=1'],
    ['http://a.example/api/projects', '/api/projects'],
  ])('should send %s as %s', async (target, received) => {
    await RawConnection.exchange(gateway.port, `GET ${target} HTTP/1.1\r\nHost: a.example\r\n\r\n`);
    expect(catalog.requests.map(({ url }) => url)).toEqual([received]);
  });

  it.each(['//datasets/srcsys', '/datasets//srcsys', '/%64atasets/srcsys'])(
    'should send %s to the provisioner',
    async (target) => {
      await RawConnection.exchange(gateway.port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect([catalog.requests.length, provisioner.requests.length]).toEqual([0, 1]);
    },
  );

  it.each([
    ...[
      '/metrics',
      '/health/live',
      '//metrics',
      '/./metrics',
      '/x/../metrics',
      '/%6Detrics',
      '/metrics%2F',
      '/metrics/',
    ],
    ...['/%2Fmetrics', '/x/%2e%2e/metrics', 'http://any/metrics', '/metrics?a'],
  ])('should not send %s to a service', async (target) => {
    const answer = await RawConnection.exchange(gateway.port, `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect([answer?.status, JSON.parse(answer?.body ?? '')]).toEqual([
      404,
      expect.objectContaining({ more: { code: 'route.unknown' } }),
    ]);
    expect([...catalog.requests, ...provisioner.requests]).toEqual([]);
  });

  it('should wait 15 seconds for headers', async () => {
    const connection = await RawConnection.open(gateway.port);
    connection.write('GET / HTTP/1.1\r\n');
    const begun = performance.now();
    expect(await connection.closes(25_000)).toBe(true);
    expect(performance.now() - begun).toBeGreaterThan(14_000);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('should cut an endless body without a service', async () => {
    const connection = await RawConnection.open(gateway.port);
    connection.write('POST /metrics HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n');
    const dripping = setInterval(() => {
      connection.write('1\r\na\r\n');
    }, 50);
    expect((await connection.answer())?.status).toBe(404);
    expect(await connection.closes(40_000)).toBe(true);
    clearInterval(dripping);
  }, 60_000);
});

describe('compose/gateway.conf.template in nginx, in front of services that refuse a body while it is sent', () => {
  let child: ChildProcess;
  let gateway: NginxGateway;

  beforeAll(async () => {
    child = fork(fileURLToPath(new URL('../support/refusing-services.ts', import.meta.url)), {
      execArgv: ['--no-warnings'],
    });
    const [{ service }] = (await once(child, 'message')) as [RefusingPorts];
    gateway = await NginxGateway.start({ 'catalog-api': service, provisioner: service }, secret);
  });

  afterAll(async () => {
    await gateway.stop();
    child.kill();
    await once(child, 'exit');
  });

  it.each([
    ['Content-Length', 3_000_000, 65_536],
    ['Content-Length', 20_000_000, 1_000_000],
    ['chunked', 3_000_000, 16_384],
    ['chunked', 20_000_000, 1_000_000],
  ] as const)(
    'should answer 413 in every attempt with %s and %i bytes',
    async (framing, size, piece) => {
      const answers: unknown[] = [];
      for (let attempt = 0; attempt < attempts; attempt++) {
        answers.push(
          await upload({ port: gateway.port, path: '/api/import/terms', size, framing, piece }).catch(String),
        );
        await pause(0);
      }
      expect(answers).toEqual(Array.from({ length: attempts }, () => 413));
    },
    60_000,
  );
});
