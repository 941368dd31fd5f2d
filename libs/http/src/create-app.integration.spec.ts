import { Body, Controller, Get, HttpCode, Module, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CallableBy, CallableByAnyone } from '@rdc/auth';
import { AppError, UnknownRecordError } from '@rdc/errors';
import { IsInt, IsOptional, IsString, Max } from 'class-validator';
import { Type } from 'class-transformer';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { Readable } from 'node:stream';
import { httpCall, type HttpAnswer, type HttpCall } from '../../../test/support/http-call.ts';
import { serve, withKeys } from '../test/serve.js';
import { createApp, type EdgeOptions } from './create-app.js';

class SearchThings {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Max(100)
  limit?: number;
}

class CreateThing {
  @IsString()
  name!: string;
}

@Controller('api/things')
@CallableByAnyone()
class ThingsController {
  @Get()
  search(@Query() query: SearchThings): unknown {
    return [{ limit: query.limit ?? null }];
  }

  @Get('stream')
  stream(@Res() reply: FastifyReply): void {
    const failing = Readable.from(
      (async function* () {
        yield '[{"id":1},';
        await Promise.resolve();
        throw new Error('row 2 of secret_table cannot be read');
      })(),
    );
    failing.on('error', () => reply.raw.destroy());
    void reply.type('application/json').send(failing);
  }

  @Get('fault')
  fault(): never {
    throw new Error('relation "secret_table" does not exist at /srv/secret/path.js');
  }

  @Get('address')
  address(@Req() request: FastifyRequest): unknown {
    return { address: request.clientAddress };
  }

  @Get(':id')
  get(@Param('id') id: string): unknown {
    if (id === 'gone') throw new UnknownRecordError('thing', id);
    return { id };
  }

  @Post()
  create(@Body() body: CreateThing): unknown {
    return body;
  }

  @Post('poke')
  @HttpCode(200)
  poke(): unknown {
    return { poked: true };
  }

  @Put('guarded')
  @CallableBy('global')
  guarded(@Body() body: unknown): unknown {
    return body;
  }
}

@Module({
  controllers: [ThingsController],
  providers: withKeys,
})
class ThingsModule {}

const logged: string[] = [];
const options: Partial<EdgeOptions> = {
  basePath: '/catalog',
  gatewaySecret: 'secret of this run',
  logger: pino({ level: 'info' }, { write: (line: string) => logged.push(line) }),
  translateError: (error) =>
    error instanceof TypeError ? new AppError('dependency.down', 'The database does not answer.') : undefined,
};

describe(createApp.name, () => {
  let app: NestFastifyApplication;
  let port: number;

  beforeAll(async () => {
    ({ app, port } = await serve(ThingsModule, options));
  });

  afterAll(async () => {
    await app.close();
  });

  describe('errors', () => {
    it('should be in the envelope without the query when the path is unknown', async () => {
      const { status, json, headers } = await call('GET', '/api/nothing?API_KEY=secret');
      expect(status).toBe(404);
      expect(json).toEqual({
        status: 'Error',
        description: 'Nothing answers at /api/nothing.',
        more: { code: 'route.unknown', request_id: headers['x-request-id'] },
      });
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      });
    });

    it.each(['DELETE', 'PATCH', 'PUT', 'OPTIONS'])('should be 405 with Allow when the method is %s', async (method) => {
      const { status, json, headers } = await call(method, '/api/things', { body: '{' });
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
      expect(json).toMatchObject({ more: { code: 'method.not_allowed', allowed: ['GET', 'HEAD', 'POST'] } });
    });

    it.each([
      ['GET', '/api/things/poke', 'POST'],
      ['PUT', '/api/things/poke/?x=1', 'POST'],
      ['POST', '/api/things/stream', 'GET, HEAD'],
    ])('should be 405 when the path of %s %s ends with a fixed segment', async (method, path, allow) => {
      const { status, headers } = await call(method, path);
      expect([status, headers['allow']]).toEqual([405, allow]);
    });

    it('should be 405 when the method is not allowed and the key is unknown', async () => {
      expect((await call('POST', '/api/things/guarded')).status).toBe(405);
    });

    it.each(['%', '%zz', '%ff', 'a%2', '%C0%80'])('should be 4xx when the path segment is %s', async (segment) => {
      const { status, json } = await call('GET', `/api/things/${segment}`);
      expect([400, 404]).toContain(status);
      expect(json).toMatchObject({ status: 'Error', more: { request_id: expect.any(String) as string } });
    });

    it('should hide an unexpected failure and log it under the request id when a handler throws', async () => {
      const { status, json, body } = await call('GET', '/api/things/fault');
      expect(status).toBe(500);
      expect(json).toMatchObject({ status: 'Error', more: { code: 'server.fault' } });
      expect(body).not.toContain('secret');
      const id = (json as { more: { request_id: string } }).more.request_id;
      expect(logged.some((line) => line.includes(id) && line.includes('secret_table'))).toBe(true);
    });

    it('should contain the details when a handler throws an expected error', async () => {
      const { status, json } = await call('GET', '/api/things/gone');
      expect(status).toBe(404);
      expect(json).toMatchObject({ more: { code: 'record.unknown', kind: 'thing', id: 'gone' } });
    });

    it('should cut the connection when a response fails after its beginning', async () => {
      await expect(call('GET', '/api/things/stream')).rejects.toThrow('aborted');
    });
  });

  describe('bodies', () => {
    it.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'x/y; charset=nonsense', ''])(
      'should be read as JSON when the content type is %j',
      async (type) => {
        const { status, json } = await call('POST', '/api/things', { body: '{"name":"é"}', type });
        expect([status, json]).toEqual([201, { name: 'é' }]);
      },
    );

    it.each([
      ['absent', undefined, 'input.not_json'],
      ['empty', '', 'input.not_json'],
      ['incomplete', '{"name":', 'input.not_json'],
      ['not in UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'input.not_json'],
      ['JSON with a member for the prototype', '{"__proto__":{"admin":true}}', 'input.not_json'],
      ['JSON with NUL', String.raw`{"name":"a\u0000b"}`, 'input.not_json'],
      ['a list', '[]', 'input.invalid'],
      ['null', 'null', 'input.invalid'],
      ['JSON with a member of a wrong type', '{"name":1}', 'input.invalid'],
      ['JSON with an unknown member', '{"name":"a","colour":"red"}', 'input.invalid'],
    ])('should be refused with 400 when the body is %s', async (_, body, code) => {
      const { status, json } = await call('POST', '/api/things', { body });
      expect([status, json]).toMatchObject([400, { more: { code } }]);
    });

    it('should be refused with the name of the member when a member is unknown', async () => {
      const { json } = await call('POST', '/api/things', { body: '{"name":"a","colour":"red"}' });
      expect(json).toMatchObject({ more: { fields: [{ field: 'colour', problem: 'is not known here' }] } });
    });

    it('should be refused with 413 when they are too large', async () => {
      const { status, json } = await call('POST', '/api/things', { body: `{"name":"${'x'.repeat(2000)}"}` });
      expect([status, json]).toMatchObject([413, { status: 'Error', more: { code: 'input.too_large' } }]);
    });

    it.each([undefined, '', '{}', 'not JSON'])('should be ignored when the route needs no body: %j', async (body) => {
      expect(await call('POST', '/api/things/poke', { body, type: 'text/csv' })).toMatchObject({
        status: 200,
        json: { poked: true },
      });
    });

    it('should not be read when the key is unknown', async () => {
      const refused = await call('PUT', '/api/things/guarded', { body: '{' });
      expect([refused.status, refused.json]).toMatchObject([403, { more: { code: 'key.required' } }]);
      const unknown = await call('PUT', '/api/things/guarded', { body: '{', key: 'guess' });
      expect([unknown.status, unknown.json]).toMatchObject([403, { more: { code: 'key.unknown' } }]);
      expect((await call('PUT', '/api/things/guarded', { body: '{', key: 'the key' })).status).toBe(400);
    });
  });

  describe('queries', () => {
    it.each([
      ['', null],
      ['?limit=5', 5],
      ['?_other=1&_other=2', null],
    ])('should accept %j', async (query, limit) => {
      expect(await call('GET', `/api/things${query}`)).toMatchObject({ status: 200, json: [{ limit }] });
    });

    it.each(['?limit=x', '?limit=101', '?limit=1.5', '?limit=1&limit=2'])('should refuse %j', async (query) => {
      const { status, json } = await call('GET', `/api/things${query}`);
      expect([status, json]).toMatchObject([400, { more: { code: 'input.invalid' } }]);
      expect(JSON.stringify(json)).toContain('"field":"limit"');
    });
  });

  describe('paths', () => {
    it.each(['/api/things/', '/api/things?', '/catalog/api/things', '/catalog/api/things/'])(
      'should be routed to /api/things when the path is %s',
      async (path) => {
        expect(await call('GET', path)).toMatchObject({ status: 200, json: [{ limit: null }] });
      },
    );

    it('should not remove the base path when it is the beginning of a longer segment', async () => {
      expect((await call('GET', '/catalogue/api/things')).status).toBe(404);
    });

    it('should answer HEAD without a body when they have a GET route', async () => {
      const { status, headers, body } = await call('HEAD', '/api/things');
      expect([status, headers['content-type'], body]).toEqual([200, 'application/json; charset=utf-8', '']);
    });
  });

  describe('the caller', () => {
    it('should have the address of the header when the gateway has sent it', async () => {
      const claim = { 'X-Forwarded-For': '192.0.2.1' };
      expect((await call('GET', '/api/things/address', { headers: claim })).json).toEqual({ address: '127.0.0.1' });
      const headers = { ...claim, 'X-Gateway-Secret': 'secret of this run' };
      expect((await call('GET', '/api/things/address', { headers })).json).toEqual({ address: '192.0.2.1' });
    });
  });

  it('should log one line without query and key when a request is answered', async () => {
    const { headers } = await call('GET', '/api/things?API_KEY=the%20key', { key: 'the key' });
    const line = logged.find((each) => each.includes(headers['x-request-id'] as string));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      method: 'GET',
      route: '/api/things',
      status: 200,
      caller: 'global',
    });
    expect(logged.join('')).not.toContain('the key');
  });

  const call = (method: string, path: string, sent: HttpCall = {}): Promise<HttpAnswer> =>
    httpCall(port, method, path, sent);
});
