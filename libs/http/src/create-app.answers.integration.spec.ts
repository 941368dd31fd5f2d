import { Controller, Delete, Get, Header, Module, Post, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import compress from '@fastify/compress';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { httpCall, type HttpAnswer, type HttpCall } from '../../../test/support/http-call.ts';
import { serve } from '../test/serve.js';

const long = JSON.stringify({ text: 'x'.repeat(5000) });

@Controller('api/things')
class ThingsController {
  static streams = 0;

  @Get()
  @Header('Vary', 'X-API-Key, Cookie')
  search(): unknown {
    return [];
  }

  @Get('long')
  @Header('Content-Type', 'application/json; charset=utf-8')
  @Header('Link', '<?cursor=1>; rel="next"')
  long(): string {
    return long;
  }

  @Get('stream')
  stream(@Res() reply: FastifyReply): void {
    const texts = (function* () {
      ThingsController.streams++;
      yield long;
    })();
    void reply.type('application/json').send(Readable.from(texts));
  }

  @Get('kept')
  kept(@Res() reply: FastifyReply): void {
    void reply.code(304).header('Vary', 'Accept').header('ETag', '"1"').send();
  }

  @Delete(':id')
  remove(): unknown {
    return {};
  }

  @Post('only')
  only(): unknown {
    return {};
  }
}

@Controller('open')
class OpenController {
  @Get('list')
  list(): unknown {
    return [];
  }

  @Get('fault')
  fault(): never {
    throw new Error('on purpose');
  }
}

@Module({ controllers: [ThingsController, OpenController] })
class ThingsModule {}

const portal = 'https://portal.example.org';
const elsewhere = 'https://elsewhere.example.org';

describe.each([
  ['closed to other origins', []],
  ['open to one', [portal]],
])('a response of the edge %s', (_, corsOrigins) => {
  let app: NestFastifyApplication;
  let port: number;
  const isOpenToOne = corsOrigins.length > 0;
  const call = (method: string, path: string, headers: Record<string, string> = {}, sent: HttpCall = {}) =>
    httpCall(port, method, path, { ...sent, headers });

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'answers-'));
    await writeFile(join(folder, 'page.css'), 'p { color: red }');
    ({ app, port } = await serve(ThingsModule, {
      basePath: '/base',
      corsOrigins,
      publicPaths: ['/open'],
      docsPath: '/docs',
      prepare: async (instance) => {
        await instance.register(compress, { encodings: ['br', 'gzip'] });
        await instance.register(fastifyStatic, { root: folder, prefix: '/files/', decorateReply: false });
      },
    }));
  });

  afterAll(() => app.close());

  describe('to HEAD', () => {
    const own = ['date', 'x-request-id', 'transfer-encoding'];
    const lasting = ({ status, headers }: HttpAnswer): object => ({
      status,
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name))),
    });

    it.each(
      ['/api/things', '/api/things/long', '/api/things/stream', '/api/things/kept', '/api/nothing'].flatMap((path) =>
        ['identity', 'br'].map((encoding) => [path, encoding] as const),
      ),
    )('should have the headers of GET when the path is %s and the encoding is %s', async (path, encoding) => {
      const headers = { 'Accept-Encoding': encoding, Origin: portal };
      const [get, head] = [await call('GET', path, headers), await call('HEAD', path, headers)];
      expect(lasting(head)).toEqual(lasting(get));
      expect([head.body, head.headers['content-length'] === '0']).toEqual(['', false]);
    });

    it('should have the headers of GET when the path is a file', async () => {
      const [get, head] = [await call('GET', '/files/page.css'), await call('HEAD', '/files/page.css')];
      expect([get.status, lasting(head)]).toEqual([200, lasting(get)]);
    });

    it('should not create a stream when its content is not sent', async () => {
      ThingsController.streams = 0;
      await call('HEAD', '/api/things/stream');
      expect(ThingsController.streams).toBe(0);
    });
  });

  describe('about its path', () => {
    it.each([
      ['GET', '/files/missing.css', 404],
      ['POST', '/files/missing.css', 404],
      ['GET', '/api/things//', 404],
      ['GET', '/api//things', 404],
      ['GET', '/api/things/long//', 404],
      ['GET', '//api/things', 200],
      ['GET', '///api/things?', 200],
      ['GET', '/base//api/things/', 200],
      ['GET', '/base/api/things', 200],
      ['GET', 'http://localhost/api/things', 200],
      ['GET', '/api/%74hings', 200],
      ['DELETE', '/api/things//', 404],
    ])('should answer %s %s with %i', async (method, path, expected) => {
      const { status, headers } = await call(method, path);
      expect([status, headers['allow']]).toEqual([expected, undefined]);
    });

    it.each([
      ['DELETE', '/api/things', 'GET, HEAD'],
      ['GET', '/api/things/only', 'POST'],
      ['OPTIONS', '/api/things', 'GET, HEAD'],
      ['TRACE', '//api/things', 'GET, HEAD'],
      ['PROPFIND', '/api/things', 'GET, HEAD'],
    ])('should list the allowed methods when %s is not allowed at %s', async (method, path, allow) => {
      const { status, headers } = await call(method, path);
      expect([status, headers['allow']]).toEqual([405, allow]);
    });
  });

  describe('to a page of another origin', () => {
    it.each(['/api/things', '/api/things/kept', '/api/things/long', '/api/nothing', '/%zz', '/files/page.css'])(
      'should vary by origin at %s when origins are named',
      async (path) => {
        for (const method of ['GET', 'HEAD']) {
          const { headers } = await call(method, path, { Origin: portal, 'Accept-Encoding': 'br' });
          const vary = (headers['vary'] ?? '').split(', ');
          expect([path, vary.includes('Origin')]).toEqual([path, isOpenToOne]);
          expect(headers['access-control-allow-origin']).toBe(corsOrigins[0]);
        }
      },
    );

    it('should keep other names in Vary when it adds Origin', async () => {
      const vary = async (path: string): Promise<unknown> => (await call('GET', path)).headers['vary'];
      expect(await vary('/api/things')).toBe(`X-API-Key, Cookie${isOpenToOne ? ', Origin' : ''}`);
      expect(await vary('/api/things/kept')).toBe(`Accept${isOpenToOne ? ', Origin' : ''}`);
    });

    it.each(['/open/list', '/open/fault', '/open/nothing', '//open/list', '/base/open/list'])(
      'should be readable by every origin when the path is %s',
      async (path) => {
        const { headers } = await call('GET', path, { Origin: elsewhere });
        expect(headers['access-control-allow-origin']).toBe('*');
        expect(headers['access-control-allow-credentials']).toBeUndefined();
        expect(headers['vary']).toBeUndefined();
      },
    );

    it('should answer the preflight of every origin when the path is public', async () => {
      const { status, headers } = await call('OPTIONS', '/open/list', {
        ...{ Origin: elsewhere, 'Access-Control-Request-Method': 'GET' },
        'Access-Control-Request-Headers': 'accept',
      });
      expect([status, headers]).toMatchObject([
        204,
        {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, HEAD',
          'access-control-allow-headers': '*',
        },
      ]);
      expect((await call('OPTIONS', '/open/list')).status).toBe(405);
    });

    it.each(['/opener', '/api/things/open', '/api/things', '/'])(
      'should not be readable by other origins when the path is %s',
      async (path) => {
        expect((await call('GET', path, { Origin: elsewhere })).headers['access-control-allow-origin']).toBeUndefined();
      },
    );
  });

  describe('to a key in the query', () => {
    const deprecation = '</base/docs>; rel="deprecation"; type="text/html"';

    it.each([
      ['/api/things?API_KEY=1', 200, deprecation],
      ['/api/things?a=1&API_KEY=1', 400, deprecation],
      ['/api/things/long?API_KEY=1', 200, `<?cursor=1>; rel="next", ${deprecation}`],
      ['/api/things/kept?API_KEY=1', 304, deprecation],
      ['/api/nothing?API_KEY=1', 404, deprecation],
      ['/open/fault?API_KEY=1&API_KEY=2', 500, deprecation],
      ['/%zz?API_KEY=1', 400, deprecation],
    ])('should report the deprecation when the path is %s', async (path, status, link) => {
      for (const method of ['GET', 'HEAD']) {
        const { headers, ...answer } = await call(method, path);
        expect([answer.status, headers['deprecation'], headers['link']]).toEqual([status, '@1795392000', link]);
      }
    });

    it.each(['/api/things', '/api/things?API_KEY=', '/api/things?_=API_KEY'])(
      'should not report a deprecation when the path is %s',
      async (path) => {
        const { headers } = await call('GET', path, { 'X-API-Key': '1' });
        expect([headers['deprecation'], headers['link']]).toEqual([undefined, undefined]);
      },
    );
  });

  it.each(['/api/nothing', '/%zz', '/api/things'])(
    'should have the common headers when the path is %s',
    async (path) => {
      const { headers } = await call('PUT', path);
      expect(headers).toMatchObject({
        'x-request-id': expect.any(String) as string,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'content-type': 'application/json; charset=utf-8',
        date: expect.any(String) as string,
      });
    },
  );
});
