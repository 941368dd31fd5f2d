import { Controller, Get, Header, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { httpCall, type HttpAnswer } from '../../../test/support/http-call.ts';
import { serve } from '../test/serve.js';

@Controller('api/things')
class ThingsController {
  @Get()
  search(): unknown {
    return [];
  }

  @Get('kept')
  @Header('Cache-Control', 'private, no-cache')
  kept(): unknown {
    return [];
  }

  @Post()
  create(): unknown {
    return {};
  }

  @Get('page')
  @Header('Content-Type', 'text/html; charset=utf-8')
  page(): string {
    return '<p>Things</p>';
  }
}

@Module({ controllers: [ThingsController] })
class ThingsModule {}

const portal = 'https://portal.example.org';

describe.each([
  ['closed to other origins', []],
  ['open to one', [portal]],
])('the edge %s', (_, corsOrigins) => {
  let app: NestFastifyApplication;
  let port: number;

  beforeAll(async () => {
    ({ app, port } = await serve(ThingsModule, { corsOrigins }));
  });

  afterAll(() => app.close());

  const call = (method: string, path: string, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
    httpCall(port, method, path, { headers });
  const preflight = (origin: string): Promise<HttpAnswer> =>
    call('OPTIONS', '/api/things', { Origin: origin, 'Access-Control-Request-Method': 'PUT' });

  it.each([
    ['data', '/api/things', "default-src 'none'; frame-ancestors 'none'"],
    ['an error', '/api/nothing', "default-src 'none'; frame-ancestors 'none'"],
    ['a page', '/api/things/page', "default-src 'self'; style-src 'self' 'unsafe-inline'"],
  ])('should send security headers when the response is %s', async (__, path, policy) => {
    const { headers } = await call('GET', path);
    expect(headers['content-security-policy']).toContain(policy);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': expect.stringContaining('max-age=') as string,
    });
    expect(headers['x-powered-by']).toBeUndefined();
  });

  it.each([
    ['data', '/api/things', 'no-store'],
    ['an error', '/api/nothing', 'no-store'],
    ['data with a Cache-Control of its own', '/api/things/kept', 'private, no-cache'],
    ['a page', '/api/things/page', undefined],
  ])('should send Cache-Control when the response is %s', async (__, path, expected) => {
    expect((await call('GET', path)).headers['cache-control']).toBe(expected);
  });

  it.each(['/api/things/%E0%A4%A', '/%', '/api/unknown', '/api/things'])(
    'should not contain the key when an error answers %s',
    async (path) => {
      const answer = await call('DELETE', `${path}?API_KEY=secret-of-a-caller`);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(answer)).not.toContain('secret-of-a-caller');
    },
  );

  it('should allow reading by the listed origin only when CORS is configured', async () => {
    const allowed = async (origin: string): Promise<unknown> =>
      (await call('GET', '/api/things', { Origin: origin })).headers['access-control-allow-origin'];
    expect(await allowed(portal)).toBe(corsOrigins[0]);
    expect(await allowed('https://evil.example.org')).toBeUndefined();
    const { headers } = await call('GET', '/api/things', { Origin: portal });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('should answer a preflight when the origin is listed', async () => {
    const { status, headers } = await preflight(portal);
    if (corsOrigins.length === 0) {
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
    } else {
      expect(status).toBe(204);
      expect(headers['access-control-allow-methods']).toContain('PUT');
      expect((await preflight('https://evil.example.org')).headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('should distinguish 404 from 405 when the path is unknown', async () => {
    expect((await call('GET', '/api/nothing')).status).toBe(404);
    expect((await call('DELETE', '/api/things')).headers['allow']).toBe('GET, HEAD, POST');
  });
});
